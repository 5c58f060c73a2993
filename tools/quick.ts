/** `npm run quick`: the checks that one needs while writing, in less than 90 seconds. */
import { parseArgs } from 'node:util';
import { runCommand } from './run-command.ts';
import { runMain } from './run-main.ts';
import { reportTests, runTests } from './run-tests.ts';

const usage = `npm run quick -- [options]

  --host <name>     conformance on this host; may be repeated. Default: node and bun
  --only <topic>    run only this file of conformance, such as cookies; may be repeated
  --since <commit>  run the unit tests affected by changes since this commit. Default: where the branch left main; on main, the last commit`;

await runMain('npm run quick', main);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      host: { type: 'string', multiple: true, default: ['node', 'bun'] },
      only: { type: 'string', multiple: true, default: [] },
      since: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const hosts = values.host.flatMap((name) => ['--host', name]);
  const topics = values.only.flatMap((name) => ['--topic', name]);
  const since = values.since ?? (await leftMain());
  return reportTests(
    await runTests([
      { name: 'conformance', command: ['node', 'conformance/run.ts', ...hosts, ...topics] },
      { name: 'unit', command: ['vitest', 'run', '--changed', since, '--passWithNoTests'] },
    ]),
  );
}

async function leftMain(): Promise<string> {
  const git = (...args: string[]): Promise<string> => runCommand(['git', ...args], { cwd: import.meta.dirname });
  return (await git('merge-base', 'HEAD', 'main').catch(() => 'HEAD')).trim();
}
