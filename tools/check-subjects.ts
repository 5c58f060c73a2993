/** `npm run subjects -- <base>..<head>`: looks at the subjects of these commits, merges left out. */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { faultsOfSubject } from './commit-subjects.ts';
import { runCommand } from './run-command.ts';
import { runMain } from './run-main.ts';

const usage = `npm run subjects -- [range]

  range  the commits to look at, as git log takes them. Default: origin/main..HEAD`;

await runMain('npm run subjects', main);

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { help: { type: 'boolean', default: false } },
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const [range = 'origin/main..HEAD'] = positionals;
  const log = await runCommand(['git', 'log', '--no-merges', '--format=%h %s', '--end-of-options', range, '--'], {
    cwd: path.resolve(import.meta.dirname, '..'),
  });
  const commits = log.split('\n').filter((line) => line !== '');
  const faults = commits.flatMap((line) => {
    const subject = line.slice(line.indexOf(' ') + 1);
    return faultsOfSubject(subject).map((fault) => `${line}\n  The subject ${fault}`);
  });
  for (const fault of faults) console.error(fault);
  console.log(`${commits.length} subjects, ${faults.length} faults`);
  return faults.length === 0 ? 0 : 1;
}
