import { mergeConfig } from '@react-native/metro-config';
import config from './metro.config.js';

// The code that React Native runs first needs a device. The program imports the parts under test itself.
export default mergeConfig(config, { serializer: { getModulesRunBeforeMainModule: () => [] } });
