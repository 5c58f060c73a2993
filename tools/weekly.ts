/**
 * `npm run weekly`: the checks that take too long for each change. Properties are tried often and from new seeds,
 * faults are planted by hand and by rule, hosts run with the newest versions of their tools, new apps with the newest Vite, and servers are under load
 * for ten minutes each.
 */
import { glob, readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { runMain } from './run-main.ts';
import { runStep } from './run-steps.ts';
import type { Step, StepResult } from './run-steps.ts';
import { reportTests } from './run-tests.ts';

const steps: readonly (Step & { env?: Record<string, string> })[] = [
  {
    name: 'properties',
    command: ['vitest', 'run', ...(await propertyTests())],
    env: { APPKIT_PROPERTY_RUNS: 'weekly' },
  },
  { name: 'faults in adapters', command: ['node', 'conformance/mutants/run.ts', '--no-table'] },
  // Fails for each gap that a newer version of a host's tools has closed, and for everything it has broken.
  { name: 'newest tools', command: ['node', 'conformance/run.ts', '--newest'] },
  { name: 'newest Vite', command: ['node', 'tools/check-new-app.ts', '--newest'] },
  // Other projects' servers, in the versions of conformance/peers/package.json.
  { name: 'peers', command: ['node', 'conformance/peers/run.ts', '--no-page'] },
  { name: 'mutation', command: ['node', 'tools/mutation/run.ts'] },
  { name: 'cluster', command: ['node', 'tools/check-cluster.ts'] },
  { name: 'MCP', command: ['node', 'tools/check-mcp.ts'] },
  { name: 'uploads', command: ['node', 'tools/check-uploads.ts'] },
  { name: 'other frameworks', command: ['node', 'tools/check-hosted.ts'] },
  { name: 'routes alone', command: ['node', 'conformance/run.ts', '--plain'] },
  { name: 'code with a fetch', command: ['node', 'conformance/run.ts', '--fetch'] },
  { name: 'attacks', command: ['node', 'attack/run.ts', '--soak', '600'] },
];

await runMain('npm run weekly', main);

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { help: { type: 'boolean', default: false } } });
  if (values.help) {
    console.log(`npm run weekly runs, for hours: ${steps.map(({ name }) => name).join(', ')}`);
    return 0;
  }
  const results: StepResult[] = [];
  for (const { env, ...step } of steps) {
    console.log(`\n— ${step.name} —`);
    results.push(await runStep(step, { env: { ...process.env, ...env }, live: true }));
  }
  return reportTests(results);
}

/** The test files whose properties are tried more often in such a run: see property-runs.ts. */
async function propertyTests(): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob('{runtime,adapters,build,router,auth,cli}/**/*.test.ts', {
    exclude: ['**/node_modules/**'],
  })) {
    if ((await readFile(file, 'utf8')).includes('propertyRuns(')) files.push(file);
  }
  return files;
}
