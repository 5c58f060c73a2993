import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { describeDeployed, prepareFixture } from './deployed.ts';
import { findHosts, withNewestTools } from './hosts.ts';
import type { Emulator } from './emulator.ts';
import type { FoundHost } from './hosts.ts';
import { hostsPage, withSummary } from './hosts-table.ts';
import { topics as listGenericTopics } from './generic/tool/topics.ts';
import { toJson, toJUnit } from './generic/report-files.ts';
import type { NamedOutcome } from './generic/report-files.ts';
import { count, failures } from './generic/results.ts';
import type { Outcome } from './generic/results.ts';
import type { HostResult } from './host-result.ts';
import { listTopics } from './load-behaviours.ts';
import { runHosts } from './run-hosts.ts';
import { runSuite } from './run-suite.ts';
import { createTemporaryFolder } from './temporary-folder.ts';

const usage = `npm run conformance -- [options]

  --host <name>    run this host only; may be repeated
  --light          run only the hosts that need no tools of their own
  --url <url>      run against the fixture app deployed at that URL; --host says where, for the gaps it may have
  --prepare <dir>  write the fixture app of the one --host into an empty folder, to be deployed
  --topic <name>   run this file of suite/ and generic/behaviours/ only, such as cookies; may be repeated
  --fetch          ask code with a fetch of its own, not the app, what is generic
  --plain          ask an app that configures nothing what is generic
  --newest         with the newest versions of the host's tools: fails for each gap that they have closed
  --only <text>    run only behaviours whose name matches
  --seed <number>  what is random follows from it, and the order of the behaviours. Default: 1, and as they are written
  --json <file>    write the results there as JSON
  --junit <file>   write them there as JUnit XML
  --no-table       leave docs/hosts.md as it is; implied by all of the above but --seed, --json and --junit
  --allow-missing  a host whose tool is missing is no failure
  --keep           keep the temporary folder and print where it is`;

const repository = path.join(import.meta.dirname, '..');
try {
  process.exitCode = await main();
} catch (error) {
  console.error(`${(error as Error).message}\nThe options are listed by: npm run conformance -- --help`);
  process.exitCode = 1;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      host: { type: 'string', multiple: true, default: [] },
      light: { type: 'boolean', default: false },
      topic: { type: 'string', multiple: true, default: [] },
      fetch: { type: 'boolean', default: false },
      plain: { type: 'boolean', default: false },
      newest: { type: 'boolean', default: false },
      only: { type: 'string' },
      seed: { type: 'string' },
      json: { type: 'string' },
      junit: { type: 'string' },
      url: { type: 'string' },
      prepare: { type: 'string' },
      table: { type: 'boolean', default: true },
      'allow-missing': { type: 'boolean', default: false },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
    allowNegative: true,
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  if (values.fetch && values.plain) throw new Error('Give --fetch or --plain: each asks one app.');
  const chosen = choose(await findHosts(), values.host)
    .filter(({ emulator }) => !values.light || !emulator.tools)
    .filter(({ emulator }) => !values.fetch || takesFetch(emulator))
    .filter(({ emulator }) => !values.plain || takesPlain(emulator));
  const hosts = values.newest ? chosen.filter(({ emulator }) => emulator.tools).map(withNewestTools) : chosen;
  const { only, topic: topics } = values;
  assertTopics(topics);
  const seed = values.seed === undefined ? undefined : toSeed(values.seed);
  console.log(
    seed === undefined
      ? 'The seed is 1, in the order in which the behaviours are written.'
      : `The seed is ${seed}. To have the same run again: --seed ${seed}`,
  );
  const write = async (hosts: readonly NamedOutcome[]): Promise<void> => {
    if (values.json !== undefined) await writeFile(values.json, toJson(hosts, seed ?? 1));
    if (values.junit !== undefined) await writeFile(values.junit, toJUnit(hosts, seed ?? 1));
  };
  if (values.url !== undefined) {
    const emulator = values.host.length === 0 ? undefined : onlyOne(hosts, '--url').emulator;
    const result = await runSuite(await describeDeployed(values.url, emulator), { only, topics, seed });
    await write([{ name: values.url, title: emulator?.title ?? 'deployed', ...result }]);
    console.log(`\n${summaryLine(values.url, result)}`);
    console.log(`${count(result, 'passed')} passed, ${count(result, 'failed')} failed`);
    return count(result, 'failed') === 0 ? 0 : 1;
  }
  await using folder = await createTemporaryFolder('appkit-conformance-', { keep: values.keep });
  if (values.keep) console.log(`Keeping ${folder.path}`);
  if (values.prepare !== undefined) {
    await prepareFixture(onlyOne(hosts, '--prepare'), values.prepare, folder.path);
    return 0;
  }
  console.log('Packing the packages and exporting the apps');
  const app = values.fetch ? 'app-fetch' : values.plain ? 'app-plain' : undefined;
  const results = await runHosts(hosts, folder.path, { only, topics, seed, app }, printEnd);
  await write(results.map(({ emulator: { name, title }, ...outcome }) => ({ name, title, ...outcome })));
  // Only a full run knows every cell of the table.
  const isFull =
    !values.light &&
    app === undefined &&
    !values.newest &&
    values.host.length === 0 &&
    only === undefined &&
    topics.length === 0;
  if (values.table && isFull) await writeTables(results);
  return report(results, values['allow-missing']) ? 0 : 1;
}

function toSeed(text: string): number {
  const seed = Number(text);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`--seed takes a whole number, not ${text}.`);
  return seed;
}

function assertTopics(topics: readonly string[]): void {
  const known = listTopics();
  const unknown = topics.filter((topic) => !known.includes(topic));
  if (unknown.length === 0) return;
  throw new Error(`No topic is called ${unknown.join(', ')}. There are: ${known.join(', ')}.`);
}

/** The fixture answers at the root; our commands are for apps. */
function takesFetch({ basePath, cli, isSecondOpinion }: Emulator): boolean {
  return basePath === undefined && cli === undefined && !isSecondOpinion;
}

/** The routes of the fixture are at the root, and some emulators are asked for other topics only. */
function takesPlain({ basePath, topics }: Emulator): boolean {
  return basePath === undefined && (topics?.some((topic) => listGenericTopics().includes(topic)) ?? true);
}

function onlyOne(hosts: readonly FoundHost[], flag: string): FoundHost {
  const [host, ...more] = hosts;
  if (host === undefined || more.length > 0) throw new Error(`${flag} is about one host: give one --host <name>.`);
  return host;
}

function choose(hosts: FoundHost[], names: readonly string[]): FoundHost[] {
  const known = hosts.map(({ emulator }) => emulator.name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`No host is called ${unknown.join(', ')}. There are: ${known.join(', ')}.`);
  return names.length === 0 ? hosts : hosts.filter(({ emulator }) => names.includes(emulator.name));
}

/** Prints the result of one host as soon as it has finished. */
function printEnd(result: HostResult): void {
  const { emulator, notRun, behaviours, seconds } = result;
  const failed = behaviours.filter(({ state }) => state === 'failed');
  const details = failed.map(({ topic, name, error, stack }) => `FAILED ${topic}: ${name}\n${stack ?? error}`);
  const end = notRun === undefined ? summaryLine(emulator.name, result) : `${emulator.name}: not run: ${notRun}`;
  console.log([...details, `${end}${seconds === undefined ? '' : `, in ${seconds} s`}`].join('\n'));
}

function report(results: readonly HostResult[], allowMissing: boolean): boolean {
  let passed = 0;
  let failed = 0;
  console.log('');
  for (const result of results) {
    const { name } = result.emulator;
    if (result.notRun !== undefined) {
      console.log(`${name}: not run: ${result.notRun}`);
      if (!allowMissing) failed += 1;
      continue;
    }
    for (const { what, reason } of result.emulator.lacks ?? []) console.log(`${name}: has no ${what}: ${reason}`);
    console.log(summaryLine(name, result));
    passed += count(result, 'passed');
    failed += count(result, 'failed');
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0;
}

function summaryLine(name: string, result: Outcome): string {
  const counts = `${count(result, 'passed')} passed, ${count(result, 'failed')} failed, ${count(result, 'gap')} gaps`;
  const notApplicable = count(result, 'not-applicable');
  const rest = notApplicable === 0 ? '' : `, ${notApplicable} not applicable`;
  return [...result.problems, ...failures(result), counts + rest].map((line) => `${name}: ${line}`).join('\n');
}

async function writeTables(results: readonly HostResult[]): Promise<void> {
  const page = path.join(repository, 'docs/hosts.md');
  await writeFile(page, hostsPage(results, existsSync(page) ? await readFile(page, 'utf8') : ''));
  const readme = path.join(repository, 'README.md');
  if (!existsSync(readme)) return;
  const text = await readFile(readme, 'utf8');
  await writeFile(readme, withSummary(text, results));
}
