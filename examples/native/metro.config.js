import { getDefaultConfig, mergeConfig } from '@react-native/metro-config';
import { withAppkit } from 'appkit-build/metro';

const config = getDefaultConfig(import.meta.dirname);
export default withAppkit(mergeConfig(config, { resolver: { platforms: ['ios', 'android', 'web'] } }));
