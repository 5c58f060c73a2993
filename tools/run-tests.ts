import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { inParallel } from '../conformance/in-parallel.ts';
import { createTemporaryFolder } from '../conformance/temporary-folder.ts';
import { findMemoryFolder } from './memory-folder.ts';
import { packPackages } from './pack.ts';
import { countTests, findFailures, runStep } from './run-steps.ts';
import type { Step, StepResult } from './run-steps.ts';

/** Compiles and checks the packages, packs them once, and runs steps in as many lanes as there are processors. */
export async function runTests(steps: readonly Step[]): Promise<StepResult[]> {
  await using folder = await createTemporaryFolder('appkit-test-', { parent: (await findMemoryFolder()) ?? tmpdir() });
  const results: StepResult[] = [];
  // Most processes of the steps load what another has compiled before.
  const shared = { ...process.env, NODE_COMPILE_CACHE: path.join(folder.path, 'compiled') };
  const run = async (step: Step, env: NodeJS.ProcessEnv = shared): Promise<void> => {
    const result = await runStep(step, { env, temporary: path.join(folder.path, step.name) });
    results.push(result);
    console.log(`\n— ${step.name} —\n${result.output.trimEnd()}`);
    console.log(`— ${step.name}: ${result.passed ? 'passed' : 'FAILED'} in ${result.seconds.toFixed(0)} s —`);
  };
  // First, since it compiles what the other steps use.
  await run({ name: 'check', command: ['node', 'tools/check.ts'] });
  const tarballs = path.join(folder.path, 'tarballs');
  const packed = await pack(tarballs);
  if (!packed.passed) return [...results, packed];
  const lanes = availableParallelism() + 1;
  console.log(`\nRunning ${steps.map(({ name }) => name).join(', ')}, ${lanes} at a time`);
  await inParallel(steps, lanes, (step) => run(step, { ...shared, APPKIT_TARBALLS: tarballs }));
  return results;
}

/** Packs for all steps. Without tarballs, none of them could run. */
async function pack(folder: string): Promise<StepResult> {
  const started = performance.now();
  const error = await packPackages(folder).then(() => undefined, String);
  if (error !== undefined) console.log(error);
  const seconds = (performance.now() - started) / 1000;
  return { name: 'pack', passed: error === undefined, output: error ?? '', seconds };
}

/** Prints the slowest steps, the failures, and the sum as the last line. Returns the exit code of the process. */
export function reportTests(results: readonly StepResult[]): number {
  const slowest = results.toSorted((a, b) => b.seconds - a.seconds).slice(0, 5);
  const times = slowest.map(({ name, seconds }) => `${name} ${seconds.toFixed(0)} s`);
  console.log(`\nThe five slowest steps: ${times.join(', ')}`);
  let passed = 0;
  let failed = 0;
  for (const result of results) {
    const counted = countTests(result.output);
    passed += counted.passed;
    // A step that breaks before it counts has failed too.
    failed += result.passed ? 0 : Math.max(1, counted.failed);
    if (!result.passed) console.log([`FAILED ${result.name}`, ...findFailures(result.output)].join('\n  '));
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
