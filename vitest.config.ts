import { defineConfig } from 'vitest/config';

import { isWeekly } from './tools/property-runs.ts';

const exclude = [
  '**/node_modules/**',
  '**/lib/**',
  // The test of a new app, which the build copies.
  'cli/appkit/templates/**',
];

// Test files share the processes that run them, and the modules they import: 59 light files took 48 seconds instead of 150. So a
// test restores what it changes in its process. These cannot, or should not:
const isolated = [
  // vi.mock has no effect on a module that another file has imported before
  'auth/session/end-session.test.ts',
  'auth/session/prompt.test.ts',
  'auth/session/redirect-uri.test.ts',
  // they collect garbage often, which takes a second each time in a process that holds what other files have loaded
  'adapters/_light/light-request.test.ts',
  'adapters/_node/listener.test.ts',
  'cli/appkit/dev/hosts/host-app.test.ts',
  'runtime/request/create-request.test.ts',
];

export default defineConfig({
  test: {
    globalSetup: 'tools/unit-setup.ts',
    setupFiles: 'tools/unit-file-setup.ts',
    // Default: one processor less, which is half of a machine with two.
    maxWorkers: '100%',
    // Fuses for what hangs. No test passes or fails by them: a busy machine may be slow.
    testTimeout: isWeekly ? 3_600_000 : 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000 } },
    unstubEnvs: true,
    unstubGlobals: true,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['{runtime,adapters,build,router,auth,cli,tools,conformance}/**/*.test.ts'],
          exclude: [...exclude, ...isolated],
          isolate: false,
        },
      },
      { extends: true, test: { name: 'isolated', include: isolated, exclude } },
    ],
  },
});
