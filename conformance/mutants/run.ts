/** `npm run conformance:mutants`: plants faults in every adapter and expects the suite to turn red on each. */
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { exportApps } from '../exported-apps.ts';
import type { ExportedApps } from '../exported-apps.ts';
import { findHosts, installTools, missingTool, onePerAdapter, prepareHost } from '../hosts.ts';
import type { FoundHost } from '../hosts.ts';
import { withMutants } from '../hosts-table.ts';
import { inParallel } from '../in-parallel.ts';
import { count } from '../generic/results.ts';
import type { HostResult } from '../host-result.ts';
import { runHost } from '../run-host.ts';
import { HOSTS_AT_A_TIME } from '../run-hosts.ts';
import { createTemporaryFolder } from '../temporary-folder.ts';
import { packWithFaults } from './plant.ts';
import { mutantsTable } from './table.ts';
import type { MutantResult } from './table.ts';

const usage = `npm run conformance:mutants -- [options]

  --host <name>   plant faults in this host only; may be repeated. Default: one host of each adapter
  --fault <text>  plant only the faults whose name contains this
  --no-table      leave docs/hosts.md as it is; implied by the two above`;

/**
 * The faults. `topic` is the part of the suite that tests for a fault and must turn red; then the entire suite is red.
 * `untouched` is a part that must stay green: it shows that nothing else is wrong.
 */
const faults: readonly Fault[] = [
  { name: 'loses the second Set-Cookie', topic: 'cookies', untouched: 'params' },
  { name: 'buffers a stream', topic: 'streaming', untouched: 'params' },
  { name: 'drops the last 100 bytes of a body', topic: 'response-body', untouched: 'trailing-slash' },
  { name: 'leaks the context between two requests', topic: 'context', untouched: 'params' },
  { name: 'answers 200 for 405', topic: 'methods', untouched: 'params' },
];

/**
 * A behaviour that hangs because of a fault is red, and need not hang for a minute. Without a fault nothing may take so
 * long.
 */
const LIMIT_MS = 8_000;

interface Fault {
  name: string;
  topic: string;
  untouched: string;
}

try {
  process.exitCode = await main();
} catch (error) {
  console.error(`${(error as Error).message}\nThe options are listed by: npm run conformance:mutants -- --help`);
  process.exitCode = 1;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      host: { type: 'string', multiple: true, default: [] },
      fault: { type: 'string', default: '' },
      table: { type: 'boolean', default: true },
      help: { type: 'boolean', default: false },
    },
    allowNegative: true,
  });
  if (values.help) {
    console.log(usage);
    return 0;
  }
  const hosts = choose(await findHosts(), values.host);
  const chosen = faults.filter(({ name }) => name.includes(values.fault));
  if (chosen.length === 0) {
    throw new Error(`No fault contains "${values.fault}". There are: ${faults.map(({ name }) => name).join(', ')}.`);
  }

  await using folder = await createTemporaryFolder('appkit-mutants-');
  for (const host of hosts) await installTools(host);
  console.log('Packing the packages and exporting the apps');
  const apps = await exportApps(folder.path, { strict: hosts.some(({ emulator }) => emulator.strictFetch) });
  const serverTarball = await packWithFaults(apps.serverTarball, path.join(folder.path, 'package'));
  const planted = await inParallel(hosts, HOSTS_AT_A_TIME, (host) => {
    const own = path.join(folder.path, 'hosts', host.emulator.name);
    return plantIn(host, chosen, { apps: { ...apps, serverTarball }, folder: own });
  });
  const results = planted.flat();
  const isFull = values.host.length === 0 && values.fault === '';
  if (values.table && isFull) await writeTable(results);
  return report(results);
}

function choose(hosts: FoundHost[], names: readonly string[]): FoundHost[] {
  const known = hosts.map(({ emulator }) => emulator.name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`No host is called ${unknown.join(', ')}. There are: ${known.join(', ')}.`);
  if (names.length > 0) return hosts.filter(({ emulator }) => names.includes(emulator.name));
  return onePerAdapter(hosts);
}

interface Place {
  /** The apps, with a server that has the faults. */
  apps: ExportedApps;
  /** The host's own folder. */
  folder: string;
}

async function plantIn(host: FoundHost, chosen: readonly Fault[], { apps, folder }: Place): Promise<MutantResult[]> {
  const { name } = host.emulator;
  const env = await installTools(host);
  const missing = await missingTool(host.emulator, env);
  if (missing !== null)
    return chosen.map((fault) => ({ host: name, fault: fault.name, state: 'not run', detail: missing }));

  const prepared = await prepareHost(host, { apps, folder, env });
  const run = (fault: string, topics: readonly string[]): Promise<HostResult> => {
    const local = { ...prepared.local, env: { ...prepared.local.env, APPKIT_FAULT: fault } };
    return runHost(host.emulator, { ...prepared, limitMs: LIMIT_MS, local }, { topics });
  };

  // The same copy without a fault must be green: otherwise a red result says nothing about the fault.
  const right = await run('none', [...new Set(chosen.flatMap(({ topic, untouched }) => [topic, untouched]))]);
  if (count(right, 'failed') > 0) throw new Error(`${name} fails without a fault: ${failuresOf(right).join('; ')}`);

  const results: MutantResult[] = [];
  for (const { name: fault, topic, untouched } of chosen) {
    // On a separate server: one that buffers an endless stream answers nothing any more.
    const others = failuresOf(await run(fault, [untouched]), untouched);
    if (others.length > 0) throw new Error(`${name} that ${fault} has another fault as well: ${others.join('; ')}`);
    const result = await run(fault, [topic]);
    const failed = failuresOf(result, topic);
    const passed = result.behaviours.filter((entry) => entry.topic === topic && entry.state === 'passed').length;
    const state = failed.length > 0 ? 'caught' : 'missed';
    results.push({ host: name, fault, state, detail: `${failed.length} of ${failed.length + passed}` });
    console.log(`${state} ${name} ${fault}: ${failed.length > 0 ? failed.join('; ') : `all ${passed} pass`}`);
  }
  return results;
}

function failuresOf({ behaviours, problems }: HostResult, topic?: string): string[] {
  const failed = behaviours.filter((entry) => entry.state === 'failed' && entry.topic === (topic ?? entry.topic));
  return [...failed.map((entry) => entry.name), ...(topic === undefined ? problems : [])];
}

async function writeTable(results: readonly MutantResult[]): Promise<void> {
  const page = path.join(import.meta.dirname, '../../docs/hosts.md');
  await writeFile(page, withMutants(await readFile(page, 'utf8'), mutantsTable(results)));
}

function report(results: readonly MutantResult[]): number {
  for (const { host, fault, detail } of results.filter(({ state }) => state === 'not run')) {
    console.log(`${host} ${fault}: not run: ${detail}`);
  }
  const caught = results.filter(({ state }) => state === 'caught').length;
  console.log(`${caught} passed, ${results.length - caught} failed`);
  return caught === results.length ? 0 : 1;
}
