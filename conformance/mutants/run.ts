/** `npm run conformance:mutants`: plants faults in every adapter and expects the suite to turn red on each. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { exportApps, type ExportedApps } from '../exported-apps.ts';
import { findHosts, installTools, missingTool, prepareHost, type FoundHost } from '../hosts.ts';
import { withMutants } from '../hosts-table.ts';
import { count, type HostResult } from '../results.ts';
import { runHost } from '../run-host.ts';
import { packWithFault } from './plant.ts';
import { mutantsTable, type MutantResult } from './table.ts';

const usage = `npm run conformance:mutants -- [options]

  --host <name>   plant faults in this host only; may be repeated. Default: one host of each adapter
  --fault <text>  plant only the faults whose name contains this
  --no-table      leave docs/hosts.md as it is; implied by the two above`;

/**
 * The faults. `topic` is the part of the suite that is about one and must turn red, and with it the whole. `untouched` is
 * a part that must stay green: it shows that the fault is all that is wrong.
 */
const faults: readonly Fault[] = [
  { name: 'loses the second Set-Cookie', topic: 'cookies', untouched: 'params' },
  { name: 'buffers a stream', topic: 'streaming', untouched: 'params' },
  { name: 'drops the last 100 bytes of a body', topic: 'response-body', untouched: 'cookies' },
  { name: 'leaks the context between two requests', topic: 'context', untouched: 'params' },
  { name: 'answers 200 for 405', topic: 'methods', untouched: 'params' },
];

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

  const folder = await mkdtemp(join(tmpdir(), 'appkit-mutants-'));
  try {
    console.log('Packing the packages and exporting the apps');
    const apps = await exportApps(folder);
    const results: MutantResult[] = [];
    for (const host of hosts) results.push(...(await plantIn(host, chosen, apps, folder)));
    const isFull = values.host.length === 0 && values.fault === '';
    if (values.table && isFull) await writeTable(results);
    return report(results);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function choose(hosts: FoundHost[], names: readonly string[]): FoundHost[] {
  const known = hosts.map(({ emulator }) => emulator.name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`No host is called ${unknown.join(', ')}. There are: ${known.join(', ')}.`);
  if (names.length > 0) return hosts.filter(({ emulator }) => names.includes(emulator.name));
  return hosts.filter((host, index) => host.adapterFolder !== hosts[index - 1]?.adapterFolder);
}

async function plantIn(
  host: FoundHost,
  chosen: readonly Fault[],
  apps: ExportedApps,
  folder: string,
): Promise<MutantResult[]> {
  const { name } = host.emulator;
  const env = await installTools(host);
  const missing = await missingTool(host.emulator, env);
  if (missing !== null)
    return chosen.map((fault) => ({ host: name, fault: fault.name, state: 'not run', detail: missing }));

  const run = async (fault: string, topics: readonly string[]): Promise<HostResult> => {
    const own = join(folder, 'mutants', `${name} ${fault}`.replaceAll(/\W+/g, '-'));
    const serverTarball = await packWithFault(apps.serverTarball, fault, join(own, 'package'));
    const prepared = await prepareHost(host, { apps: { ...apps, serverTarball }, folder: join(own, 'host'), env });
    return runHost(host.emulator, prepared, { topics, quiet: true });
  };

  // The same copy without a fault must be green: otherwise what is red says nothing about the fault.
  const right = await run('none', [...new Set(chosen.flatMap(({ topic, untouched }) => [topic, untouched]))]);
  if (count(right, 'failed') > 0) throw new Error(`${name} fails without a fault: ${failuresOf(right).join('; ')}`);

  const results: MutantResult[] = [];
  for (const { name: fault, topic, untouched } of chosen) {
    const result = await run(fault, [topic, untouched]);
    const others = failuresOf(result, untouched);
    if (others.length > 0) throw new Error(`${name} that ${fault} has another fault as well: ${others.join('; ')}`);
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
  const page = join(import.meta.dirname, '../../docs/hosts.md');
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
