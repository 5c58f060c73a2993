/**
 * `npm run check`: lint, format, types, unused code and the shape of the packages. Runs all of them, even when one
 * fails.
 */
import { globSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { inParallel } from '../conformance/in-parallel.ts';
import { npmCommand } from './run-command.ts';
import { runStep } from './run-steps.ts';
import type { Step } from './run-steps.ts';

// Packages are compiled first: types across packages and the shape of a tarball come from lib/.
const compile: Step = { name: 'compile', command: [...npmCommand(), 'run', '--silent', 'build'] };
// The globals that hosts declare clash, so the types of each host are a separate program.
const hostTypes: Step[] = globSync('adapters/*/types').map((folder) => ({
  name: `types of the host ${path.basename(path.dirname(folder))}`,
  command: ['tsc', '-p', folder],
}));
const steps: Step[] = [
  { name: 'lint', command: ['oxlint', '--deny-warnings', '--report-unused-disable-directives'] },
  { name: 'format', command: ['oxfmt', '--check'] },
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json'] },
  // Where there is a DOM.
  { name: 'types of auth/', command: ['tsc', '-p', 'auth'] },
  { name: 'types of router/', command: ['tsc', '-p', 'router/tsconfig.check.json'] },
  ...hostTypes,
  { name: 'unused code', command: ['knip'] },
  { name: 'package shape', command: ['node', 'tools/check-shape.ts'] },
];

let failed = 0;
await run(compile);
await inParallel(steps, availableParallelism(), run);
console.log(`${steps.length + 1 - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function run(step: Step): Promise<void> {
  const { passed, output, seconds } = await runStep(step);
  console.log(`${passed ? 'ok  ' : 'FAIL'} ${step.name} (${seconds.toFixed(1)} s)`);
  if (passed) return;
  failed++;
  console.log(output);
}
