import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { describeDeployed, prepareFixture } from './deployed.ts';
import { exportApps } from './exported-apps.ts';
import { findHosts, installTools, missingTool, prepareHost, type FoundHost } from './hosts.ts';
import { hostsPage, withSummary } from './hosts-table.ts';
import { count, failures, type HostResult, type Outcome } from './results.ts';
import { runHost, runSuite } from './run-host.ts';

const usage = `npm run conformance -- [options]

  --host <name>    run this host only; may be repeated
  --light          run only the hosts that need no tools of their own
  --url <url>      run against the fixture app deployed at that URL; --host says where, for the gaps it may have
  --prepare <dir>  write the fixture app of the one --host into an empty folder, to be deployed
  --only <text>    run only behaviours whose name matches
  --no-table       leave docs/hosts.md as it is; implied by the three above
  --allow-missing  a host whose tool is missing is no failure
  --keep           keep the temporary folder and print where it is`;

const repository = join(import.meta.dirname, '..');
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
      only: { type: 'string' },
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
  const hosts = choose(await findHosts(), values.host).filter(({ emulator }) => !values.light || !emulator.tools);
  if (values.url !== undefined) {
    const emulator = values.host.length === 0 ? undefined : onlyOne(hosts, '--url').emulator;
    const result = await runSuite(await describeDeployed(values.url, emulator), { only: values.only });
    console.log(`\n${summaryLine(values.url, result)}`);
    console.log(`${count(result, 'passed')} passed, ${count(result, 'failed')} failed`);
    return count(result, 'failed') === 0 ? 0 : 1;
  }
  const folder = await mkdtemp(join(tmpdir(), 'appkit-conformance-'));
  if (values.keep) console.log(`Keeping ${folder}`);
  let results: HostResult[];
  try {
    if (values.prepare !== undefined) {
      await prepareFixture(onlyOne(hosts, '--prepare'), values.prepare, folder);
      return 0;
    }
    results = await runHosts(hosts, folder, values.only);
  } finally {
    if (!values.keep) await rm(folder, { recursive: true, force: true });
  }
  // Only a full run knows every cell of the table.
  if (values.table && !values.light && values.host.length === 0 && values.only === undefined)
    await writeTables(results);
  return report(results, values['allow-missing']) ? 0 : 1;
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

async function runHosts(hosts: readonly FoundHost[], folder: string, only?: string): Promise<HostResult[]> {
  console.log('Packing the packages and exporting the apps');
  const apps = await exportApps(folder);
  const results: HostResult[] = [];
  for (const host of hosts) {
    const { emulator } = host;
    console.log(`\n${emulator.name}: ${emulator.title}`);
    const tools = await installTools(host).catch((error: Error) => `its tools cannot be installed: ${error.message}`);
    const notRun = typeof tools === 'string' ? tools : await missingTool(emulator, tools);
    if (typeof tools === 'string' || notRun !== null) {
      results.push({ emulator, notRun: notRun ?? '', behaviours: [], problems: [] });
      continue;
    }
    try {
      const prepared = await prepareHost(host, { apps, folder: join(folder, 'hosts', emulator.name), env: tools });
      results.push(await runHost(emulator, prepared, { only }));
    } catch (error) {
      results.push({ emulator, behaviours: [], problems: [(error as Error).message] });
    }
  }
  return results;
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
  const page = join(repository, 'docs/hosts.md');
  await writeFile(page, hostsPage(results, existsSync(page) ? await readFile(page, 'utf8') : ''));
  const readme = join(repository, 'README.md');
  if (!existsSync(readme)) return;
  const text = await readFile(readme, 'utf8');
  await writeFile(readme, withSummary(text, results));
}
