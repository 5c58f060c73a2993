import { createRequire } from 'node:module';
import { expect, it } from 'vitest';

it("is a config plugin for Expo's tools, which leaves the config as it is", () => {
  const require = createRequire(import.meta.url);
  // They look for a file of this name in each package that the plugins of app.json name, and refuse the config without it.
  const plugin = require('appkit-router/app.plugin.js') as {
    default: (config: object, options: object | undefined) => unknown;
  };
  const config = { name: 'shop', extra: { router: { origin: 'https://shop.example' } } };
  expect(plugin.default(config, { origin: 'https://app.example' })).toBe(config);
  expect(plugin.default(config, undefined)).toBe(config);
});
