/** `npm run subjects -- <base>..<head>`: checks the subjects of these commits, without merges. */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { faultsOfSubject } from './commit-subjects.ts';
import { runCommand } from './run-command.ts';
import { runMain } from './run-main.ts';

const usage = `npm run subjects -- [range]

  range  the commits to check, in the syntax of git log. Default: origin/main..HEAD, or the last ten commits when
         that is empty or origin/main does not exist`;

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
  const [range] = positionals;
  const commits = range === undefined ? await listNewCommits() : await listCommits(range);
  const faults = commits.flatMap((line) => {
    const subject = line.slice(line.indexOf(' ') + 1);
    return faultsOfSubject(subject).map((fault) => `${line}\n  The subject ${fault}`);
  });
  for (const fault of faults) console.error(fault);
  console.log(`${commits.length} subjects, ${faults.length} faults`);
  return faults.length === 0 ? 0 : 1;
}

/** Lists the commits that are not on origin/main yet. On main itself, the last commits count as new. */
async function listNewCommits(): Promise<string[]> {
  const ahead = await listCommits('origin/main..HEAD').catch(() => []);
  return ahead.length > 0 ? ahead : listCommits('HEAD', '--max-count=10');
}

/** Lists commits as `<hash> <subject>`. */
async function listCommits(range: string, ...flags: string[]): Promise<string[]> {
  const log = ['git', 'log', '--no-merges', '--format=%h %s', ...flags, '--end-of-options', range, '--'] as const;
  const output = await runCommand(log, { cwd: path.resolve(import.meta.dirname, '..') });
  return output.split('\n').filter((line) => line !== '');
}
