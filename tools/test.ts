/** `npm test`: everything that must hold. Its last line adds up what the parts counted. */
import { stripVTControlCharacters } from 'node:util';
import { runStep } from './run-steps.ts';
import type { Step } from './run-steps.ts';

// With --table the hosts' tables are written too: docs/hosts.md and the README.
const table = process.argv.includes('--table') ? [] : ['--no-table'];

const steps: Step[] = [
  { name: 'check', command: ['node', 'tools/check.ts'] },
  { name: 'unit', command: ['vitest', 'run'] },
  { name: 'packages', command: ['node', 'tools/check-packages.ts'] },
  { name: 'example', command: ['node', 'tools/check-example.ts'] },
  { name: 'deploy files', command: ['node', 'tools/check-deploy-files.ts'] },
  { name: 'sign-in example', command: ['node', 'tools/check-sign-in.ts'] },
  { name: 'docs example', command: ['node', 'tools/check-docs.ts'] },
  { name: 'new apps', command: ['node', 'tools/check-new-app.ts'] },
  { name: 'sign-in in every runtime', command: ['node', 'tools/check-auth-runtimes.ts'] },
  { name: 'native example', command: ['node', 'tools/check-native.ts'] },
  // A host whose tool cannot be installed here is named as not run.
  { name: 'conformance', command: ['node', 'conformance/run.ts', ...table, '--allow-missing'] },
  { name: 'attacks, faults and load', command: ['node', 'attack/run.ts', '--short', '--allow-missing'] },
];

let passed = 0;
let failed = 0;
for (const step of steps) {
  console.log(`\n— ${step.name} —`);
  const result = await runStep(step, true);
  const counted = countTests(result.output);
  passed += counted.passed;
  // A step that breaks before it counts has failed all the same.
  failed += result.passed ? 0 : Math.max(1, counted.failed);
  console.log(`— ${step.name}: ${result.passed ? 'passed' : 'FAILED'} in ${result.seconds.toFixed(0)} s —`);
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

/** Reads the last summary of a step: Vitest's `Tests …` line or `N passed, N failed`. */
function countTests(output: string): { passed: number; failed: number } {
  const lines = stripVTControlCharacters(output).split('\n');
  const summary =
    lines.findLast((line) => /^\s*Tests\s.*\d+ (?:passed|failed)|^\d+ passed, \d+ failed/.test(line)) ?? '';
  return {
    passed: Number(/(\d+) passed/.exec(summary)?.[1] ?? 0),
    failed: Number(/(\d+) failed/.exec(summary)?.[1] ?? 0),
  };
}
