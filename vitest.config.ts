import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{runtime,adapters,build,router,auth,cli,tools,conformance}/**/*.test.ts'],
    // The conformance suite needs a host: npm run conformance.
    exclude: ['**/node_modules/**', '**/lib/**', 'conformance/suite/**', 'conformance/app/**'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
