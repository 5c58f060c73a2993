/** `npm run hosts`: prints the names of all hosts as one line of JSON, for the matrix of a workflow. */
import { parseArgs } from 'node:util';
import { findHosts, onePerAdapter } from '../conformance/hosts.ts';
import { runMain } from './run-main.ts';

const usage = `npm run --silent hosts -- [options]

  --adapters  print one host per adapter: the default hosts of npm run conformance:mutants`;

await runMain('npm run hosts', main);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { adapters: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const hosts = await findHosts();
  const chosen = values.adapters ? onePerAdapter(hosts) : hosts;
  console.log(JSON.stringify(chosen.map(({ emulator }) => emulator.name)));
  return 0;
}
