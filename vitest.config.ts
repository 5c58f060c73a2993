import { defineConfig } from 'vitest/config';

/** These see whether something is there within a second, which says nothing while other tests keep all processors busy. */
const alone = ['router/dev-site.test.ts'];

// The conformance suite needs a host: npm run conformance.
const exclude = ['**/node_modules/**', '**/lib/**', 'conformance/suite/**', 'conformance/app/**'];

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{runtime,adapters,build,router,auth,cli,tools,conformance}/**/*.test.ts'],
          exclude: [...exclude, ...alone],
        },
      },
      { extends: true, test: { name: 'alone', include: alone, exclude, sequence: { groupOrder: 1 } } },
    ],
  },
});
