import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countTests, findFailures, runStep } from './run-steps.ts';

let folder: string;
beforeAll(async () => (folder = await mkdtemp(path.join(tmpdir(), 'appkit-steps-'))));
afterAll(() => rm(folder, { recursive: true }));

function node(script: string): readonly [string, ...string[]] {
  return [process.execPath, '--eval', script];
}

it('returns the output of a step, and whether it succeeded', async () => {
  const right = await runStep({ name: 'right', command: node('console.log(1); console.error(2)') });
  expect(right).toMatchObject({ name: 'right', passed: true });
  expect(right.output.split('\n').toSorted()).toEqual(['', '1', '2']);
  expect(await runStep({ name: 'wrong', command: node('process.exit(3)') })).toMatchObject({ passed: false });
});

it('fails a step that cannot be started', async () => {
  const result = await runStep({ name: 'missing', command: ['appkit-no-such-command'] });
  expect(result.passed).toBe(false);
  expect(result.output).toContain('ENOENT');
});

it('fails a step that leaves a temporary file behind', async () => {
  const write = "require('node:fs').writeFileSync(require('node:path').join(require('node:os').tmpdir(), 'left'), '')";
  const result = await runStep({ name: 'untidy', command: node(write) }, { temporary: path.join(folder, 'untidy') });
  expect(result.passed).toBe(false);
  expect(result.output).toContain(`FAIL untidy left ${path.join(folder, 'untidy/left')} behind`);
});

it.each([
  ['12 passed, 3 failed\n', { passed: 12, failed: 3 }],
  ['1 passed, 0 failed\n2 passed, 0 failed\n', { passed: 2, failed: 0 }],
  [
    '\u001B[2m      Tests \u001B[22m \u001B[31m1 failed\u001B[39m | \u001B[32m406 passed\u001B[39m (407)\n',
    { passed: 406, failed: 1 },
  ],
  ['It broke.\n', { passed: 0, failed: 0 }],
])('counts what %j reports', (output, counts) => {
  expect(countTests(output)).toEqual(counts);
});

it.each([
  [
    'names what failed, without its colours, and why',
    'ok   a\n\u001B[41m FAIL \u001B[49m unit/b.test.ts > is small\n\u001B[31mAssertionError: 2\u001B[39m\n\nmore\n1 passed, 1 failed\n',
    ['FAIL  unit/b.test.ts > is small', 'AssertionError: 2'],
  ],
  [
    'names failures with the same reason only once each',
    'FAIL a\nFAIL b\nAssertionError: 2\nmore\n',
    ['FAIL a', 'FAIL b', 'AssertionError: 2'],
  ],
  [
    'returns the last lines of a step that names nothing',
    `${'before\n'.repeat(40)}Unhandled Rejection\nError: left alone\n`,
    [...Array.from({ length: 28 }, () => 'before'), 'Unhandled Rejection', 'Error: left alone'],
  ],
])('%s', (_, output, failures) => {
  expect(findFailures(output)).toEqual(failures);
});
