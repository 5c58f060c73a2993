import { defineConfig } from 'vitest/config';
import type { ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['suite/**/*.test.ts', 'generic/behaviours/*.ts'],
    setupFiles: ['generic-behaviours.ts'],
    // A fuse longer than that of a behaviour, which names what hangs.
    testTimeout: 120_000,
    slowTestThreshold: 10_000,
    // One process for all files of a host, which share its servers. Several hosts run at the same time.
    maxWorkers: 1,
    isolate: false,
  },
});
export default config;
