/**
 * The config plugin that Expo's tools load for `appkit-router` in the `plugins` of an app config. They refuse a config whose plugins
 * they cannot load. Only `appkit export` and `withAppkit` of `appkit-build/metro` use the options.
 *
 * @template Config
 * @param {Config} config
 * @returns {Config} the config, unchanged.
 */
export default function withAppkitRouter(config) {
  return config;
}
