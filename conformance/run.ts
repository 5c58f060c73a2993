import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { exportApps } from './exported-apps.ts';
import { findHosts, installTools, missingTool, prepareHost, type FoundHost } from './hosts.ts';
import { hostsPage, withSummary } from './hosts-table.ts';
import { count, type HostResult } from './results.ts';
import { runHost } from './run-host.ts';

const usage = `npm run conformance -- [options]

  --host <name>    run this host only; may be repeated
  --light          run only the hosts that need no tools of their own
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
  const folder = await mkdtemp(join(tmpdir(), 'appkit-conformance-'));
  if (values.keep) console.log(`Keeping ${folder}`);
  let results: HostResult[];
  try {
    results = await runHosts(hosts, folder, values.only);
  } finally {
    if (!values.keep) await rm(folder, { recursive: true, force: true });
  }
  // Only a full run knows every cell of the table.
  if (values.table && !values.light && values.host.length === 0 && values.only === undefined)
    await writeTables(results);
  return report(results, values['allow-missing']) ? 0 : 1;
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
    for (const problem of result.problems) console.log(`${name}: ${problem}`);
    const counts = { passed: count(result, 'passed'), failed: count(result, 'failed'), gaps: count(result, 'gap') };
    console.log(`${name}: ${counts.passed} passed, ${counts.failed} failed, ${counts.gaps} gaps`);
    passed += counts.passed;
    failed += counts.failed;
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0;
}

async function writeTables(results: readonly HostResult[]): Promise<void> {
  const page = join(repository, 'docs/hosts.md');
  await writeFile(page, hostsPage(results, existsSync(page) ? await readFile(page, 'utf8') : ''));
  const readme = join(repository, 'README.md');
  if (!existsSync(readme)) return;
  const text = await readFile(readme, 'utf8');
  await writeFile(readme, withSummary(text, results));
}
