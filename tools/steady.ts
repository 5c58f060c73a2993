/**
 * `npm run steady`: repeats steps of `npm test` while other processes keep the processors busy, and names each step
 * that failed at least once.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { endGroup, spawnGroup } from '../conformance/generic/process-group.ts';
import type { StepResult } from './run-steps.ts';
import { runMain } from './run-main.ts';
import { runTests } from './run-tests.ts';
import { chooseSteps, STEPS } from './steps.ts';

const LOGS = path.resolve(import.meta.dirname, '../.cache/steady');
const usage = `npm run steady -- [options]

  --times <n>    how often to repeat. Default: 5
  --busy <n>     how many processes run an endless loop meanwhile. Default: 4
  --step <name>  repeat only this one of the steps after the check; may be given several times: ${STEPS.map(({ name }) => name).join(', ')}`;

await runMain('npm run steady', main);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      times: { type: 'string', default: '5' },
      busy: { type: 'string', default: '4' },
      step: { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const [times, busy] = [toCount('times', values.times), toCount('busy', values.busy)];
  if (times === 0) throw new Error('--times is at least 1.');
  const steps = chooseSteps(values.step);
  const loops = Array.from({ length: busy }, () =>
    spawnGroup([process.execPath, '--eval', 'for (;;);'], { folder: import.meta.dirname, env: {} }),
  );
  try {
    const runs: StepResult[][] = [];
    for (let time = 1; time <= times; time += 1) {
      console.log(`\n= Run ${time} of ${times}, beside ${busy} busy loops =`);
      const startedAt = performance.now();
      runs.push(await runTests(steps));
      console.log(`= It took ${((performance.now() - startedAt) / 1000).toFixed(0)} s =`);
    }
    return await report(runs);
  } finally {
    await Promise.all(loops.map(endGroup));
  }
}

function toCount(name: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`--${name} must be a whole number, not ${text}.`);
  return Number(text);
}

/** A line per step; the output of failures is kept for reading. */
async function report(runs: readonly (readonly StepResult[])[]): Promise<number> {
  let passed = 0;
  let failed = 0;
  await mkdir(LOGS, { recursive: true });
  for (const name of new Set(runs.flat().map((result) => result.name))) {
    const results = runs.map((results) => results.find((result) => result.name === name));
    const red = results.flatMap((result, index) => (result?.passed ? [] : [{ time: index + 1, result }]));
    passed += results.length - red.length;
    failed += red.length;
    const seconds = results.map((result) => result?.seconds.toFixed(0) ?? '–').join(', ');
    console.log(
      `${red.length === 0 ? 'ok  ' : 'FAIL'} ${name}: ${results.length - red.length} of ${results.length}, in ${seconds} s`,
    );
    for (const { time, result } of red) {
      const log = path.join(LOGS, `${name}-${time}.log`);
      await writeFile(log, result?.output ?? 'It was not run.\n');
      console.log(`     ${log}`);
    }
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}
