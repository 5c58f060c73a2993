import { AppRegistry } from 'react-native';
import { Hello } from './client/hello';

AppRegistry.registerComponent('example', () => Hello);
