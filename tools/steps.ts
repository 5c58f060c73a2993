import type { Step } from './run-steps.ts';

/** The steps of `npm test` after the packages are compiled and checked, slowest first. */
export const STEPS: readonly Step[] = [
  // A host whose tool cannot be installed here is reported as not run.
  { name: 'conformance', command: ['node', 'conformance/run.ts', '--no-table', '--allow-missing'] },
  { name: 'unit', command: ['vitest', 'run'] },
  { name: 'docs', command: ['node', 'tools/check-docs.ts'] },
  { name: 'sign-in', command: ['node', 'tools/check-sign-in.ts'] },
  { name: 'attacks', command: ['node', 'attack/run.ts', '--short', '--allow-missing'] },
  { name: 'native', command: ['node', 'tools/check-native.ts'] },
  { name: 'deploy-files', command: ['node', 'tools/check-deploy-files.ts'] },
  { name: 'new-apps', command: ['node', 'tools/check-new-app.ts'] },
  { name: 'packages', command: ['node', 'tools/check-packages.ts'] },
  { name: 'hosted', command: ['node', 'tools/check-hosted.ts', '--host', 'node', '--host', 'bun'] },
  // The app of the suite has middleware and a cache. This one configures nothing, like most first apps.
  {
    name: 'routes-alone',
    command: [
      'node',
      'conformance/run.ts',
      '--plain',
      '--host',
      'node',
      '--host',
      'bun',
      '--host',
      'deno',
      '--no-table',
      '--allow-missing',
    ],
  },
  { name: 'auth-runtimes', command: ['node', 'tools/check-auth-runtimes.ts'] },
  { name: 'example', command: ['node', 'tools/check-example.ts'] },
  { name: 'caches', command: ['node', 'tools/check-caches.ts'] },
];

/** The steps with these names; all steps if no name is given. */
export function chooseSteps(names: readonly string[]): readonly Step[] {
  const unknown = names.filter((name) => !STEPS.some((step) => step.name === name));
  if (unknown.length > 0) {
    const known = STEPS.map(({ name }) => name).join(', ');
    throw new Error(`There is no step ${unknown.join(', ')}. There are: ${known}.`);
  }
  return names.length === 0 ? STEPS : STEPS.filter(({ name }) => names.includes(name));
}
