/** `npm run check`: lint, format, types, unused code and the shape of the packages. All of them, even when one fails. */
import { runStep } from './run-steps.ts';
import type { Step } from './run-steps.ts';

// Packages are compiled first: types across packages and the shape of a tarball are those of lib/.
const compile: Step = { name: 'compile', command: ['tsc', '-b', 'tsconfig.build.json'] };
const steps: Step[] = [
  { name: 'lint', command: ['oxlint', '--deny-warnings', '--report-unused-disable-directives'] },
  { name: 'format', command: ['oxfmt', '--check'] },
  { name: 'types', command: ['tsc', '-p', 'tsconfig.json'] },
  { name: 'unused code', command: ['knip'] },
  { name: 'package shape', command: ['node', 'tools/check-shape.ts'] },
];

let failed = 0;
for (const step of [compile, ...steps]) {
  const { passed, output, seconds } = await runStep(step, false);
  console.log(`${passed ? 'ok  ' : 'FAIL'} ${step.name} (${seconds.toFixed(1)} s)`);
  if (!passed) {
    failed++;
    console.log(output);
  }
}
console.log(`${steps.length + 1 - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
