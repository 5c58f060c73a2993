import { defineConfig, type ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['suite/**/*.test.ts'],
    testTimeout: 20_000,
    slowTestThreshold: 10_000,
    // the server is shared and the machine may be small: more files at once only make each other slow
    maxWorkers: 2,
  },
});
export default config;
