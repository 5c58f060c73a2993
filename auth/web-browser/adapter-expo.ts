import * as expo from 'expo-web-browser';
import { createExpoBrowser } from './expo-browser.ts';
import { registerBrowser } from './native-browser.ts';
import { platform } from './react-native-platform.ts';

registerBrowser(createExpoBrowser(expo, platform));
