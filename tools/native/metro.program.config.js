import { mergeConfig } from '@react-native/metro-config';
import config from './metro.config.js';

// What React Native runs first needs a device. The program takes from it what it is about.
export default mergeConfig(config, { serializer: { getModulesRunBeforeMainModule: () => [] } });
