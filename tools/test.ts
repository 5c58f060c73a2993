/** `npm test`: everything that must pass. Its last line adds up the counts of the steps. */
import { parseArgs } from 'node:util';
import { runMain } from './run-main.ts';
import { reportTests, runTests } from './run-tests.ts';
import { chooseSteps, STEPS } from './steps.ts';

const usage = `npm test -- [options]

  --step <name>  of the steps after the check, run this one only; may be repeated: ${STEPS.map(({ name }) => name).join(', ')}
  --table        write the tables of hosts as well: docs/hosts.md and the README`;

await runMain('npm test', main);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      step: { type: 'string', multiple: true, default: [] },
      table: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const steps = chooseSteps(values.step).map((step) =>
    step.name === 'conformance' && values.table ? { ...step, command: [...step.command, '--table'] as const } : step,
  );
  return reportTests(await runTests(steps));
}
