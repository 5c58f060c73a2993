/** What is mutated, and which tests belong to it. */
export interface Area {
  name: string;
  /** Globs, from the root of the repository. */
  files: string[];
  /** Globs of the tests that have to detect its mutants. Those of a part above it do so as well, but slowly. */
  tests: string[];
}

const notCode = [
  '**/*.test.ts',
  '**/*.cases.ts',
  '**/*.test-d.ts',
  '**/fixtures/**',
  '**/lib/**',
  '**/node_modules/**',
];

const adapterTests = ['adapters/**/*.test.ts'];

export const areas: readonly Area[] = [
  { name: 'runtime', files: ['runtime/**/*.ts'], tests: ['runtime/**/*.test.ts'] },
  { name: 'adapters/_http', files: ['adapters/_http/*.ts'], tests: adapterTests },
  { name: 'adapters/_node', files: ['adapters/_{node,build}/*.ts'], tests: adapterTests },
  { name: 'adapters/_light', files: ['adapters/_light/*.ts'], tests: adapterTests },
  { name: 'auth/session', files: ['auth/session/*.ts'], tests: ['auth/session/**/*.test.ts'] },
];

/**
 * Not mutated. In auth/session, the core is the code that sends, reads and checks messages of the protocols. Not part of
 * it are the hooks, what happens between pages and tabs, and what only React Native needs, since they are tested in a
 * browser or a bundle, where mutants do not exist; nor are the ready-made configurations of two providers.
 */
export const exempt: readonly string[] = [
  ...notCode,
  'auth/session/use-*.ts',
  'auth/session/{abort-reason,client-session-tabs,limited-signal,pending-request}.ts',
  'auth/session/provider-{facebook,google,request}.ts',
];

/** Tests in a browser, a separate bundle or other processes, where mutants do not exist. */
export const otherTests: readonly string[] = [
  '**/node_modules/**',
  '**/lib/**',
  'auth/session/{client-session-tabs,guide-browser,hook-errors,hooks,hostile-browser,import,lazy,native,providers,server-rendering,session-server-browser,strict-mode,web}.test.ts',
  'adapters/_light/light-generated.test.ts',
  'adapters/**/processes.test.ts',
];

/**
 * Tests that are left out. What random cases kill differs from run to run, and they take seconds, again for each mutant,
 * as does a browser. So the file light-generated.test.ts is left out too.
 */
export const leftOut: readonly string[] = [
  'over any route sets and paths',
  'keeps every value in its place, whatever it contains',
  "is read by a browser's EventSource",
];
