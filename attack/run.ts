/**
 * `npm run test:attack`: attacks, faults and, with `--soak`, load on servers of this repository. On loopback only.
 */
import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { PreparedHost } from '../conformance/hosts.ts';
import { attackFunction } from './attack-function.ts';
import { attackHost } from './attack-host.ts';
import { findAttackedHosts, isFunction } from './attacked-hosts.ts';
import { exportApp } from './export-app.ts';
import { inParallel } from '../conformance/in-parallel.ts';
import { createTemporaryFolder } from '../conformance/temporary-folder.ts';
import { commandFaults, serverFaults } from './faults.ts';
import { toPage } from './page.ts';
import type { Results } from './page.ts';
import { tryPatterns } from './patterns.ts';
import { createRandom } from './random.ts';
import { soak } from './soak.ts';
import { prepare } from './start-host.ts';

const ATTACKED = await findAttackedHosts();
const HOSTS = ATTACKED.map(({ name }) => name);
const FUNCTION_HOSTS = ATTACKED.filter(({ plan }) => isFunction(plan)).map(({ name }) => name);
const SOAKED_HOSTS = ATTACKED.filter(({ plan }) => plan.isSoaked).map(({ name }) => name);
const SERVER_HOSTS = HOSTS.filter((name) => !FUNCTION_HOSTS.includes(name));
/** How many hosts or faults are tried at once. */
const AT_ONCE = 2;
const PARTS = ['cases', 'patterns', 'faults', 'soak'];

const usage = `npm run test:attack -- [options]

  --part <name>     run one part; may be repeated: ${PARTS.join(', ')}. Default: all, soak only with --soak or --short
  --host <name>     of cases and faults, run only this host; may be repeated: ${HOSTS.join(', ')}.
                    On ${FUNCTION_HOSTS.join(', ')}: only half-read bodies
  --only <text>     of cases and faults, run only those whose name contains this text
  --seed <text>     the seed of everything random. Default: 1
  --mutations <n>   random changes of honest requests. Default: 200
  --soak <seconds>  put ${SOAKED_HOSTS.join(' and ')} under load for this long
  --short           less of everything, as npm test does: 2,000 patterns, 40 mutations, 6 kills, 15 s of 400 requests a second, and
                    only ${SERVER_HOSTS.join(', ')}, unless --host names others
  --allow-missing   do not fail for a host whose tool is missing
  --write           write docs/reliability.md`;

const { values } = parseArgs({
  options: {
    part: { type: 'string', multiple: true },
    host: { type: 'string', multiple: true },
    only: { type: 'string' },
    seed: { type: 'string', default: '1' },
    mutations: { type: 'string' },
    soak: { type: 'string' },
    short: { type: 'boolean', default: false },
    'allow-missing': { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

const names = values.host ?? (values.short ? SERVER_HOSTS : HOSTS);
const isPartial = values.part !== undefined || values.only !== undefined || names.length < HOSTS.length;
const wrong = [
  ...(values.part ?? []).filter((name) => !PARTS.includes(name)).map((name) => `Unknown part: ${name}.`),
  ...names.filter((name) => !HOSTS.includes(name)).map((name) => `Unknown host: ${name}.`),
  ...[values.mutations, values.soak]
    .filter((text) => text !== undefined && !/^[1-9]\d*$/.test(text))
    .map((text) => `${text} is no number of changes or seconds.`),
  ...(values.part?.includes('soak') && !values.soak && !values.short ? ['Say for how long: --soak 60'] : []),
  ...(values.write && isPartial
    ? ['The page is written of all parts and hosts: leave out --part, --host and --only.']
    : []),
];
if (values.help || wrong.length > 0) {
  for (const line of wrong) console.error(line);
  console.log(usage);
  process.exitCode = values.help ? 0 : 2;
} else {
  process.exitCode = await main();
}

/** The results of this run so far. */
interface Run {
  results: Results;
  failures: string[];
  passed: number;
}

interface Amounts {
  mutations: number;
  /** How long each host is under load. */
  seconds: number;
}

async function main(): Promise<number> {
  const { seed, short } = values;
  const mutations = Number(values.mutations ?? (short ? 40 : 200));
  const seconds = Number(values.soak ?? (short ? 15 : 0));
  const runs = (part: string): boolean => values.part?.includes(part) ?? (part !== 'soak' || seconds > 0);
  console.log(`The seed is ${seed}. To have the same run again: --seed ${seed}`);

  const run: Run = { results: { attacks: [], faults: [], soaks: [], notRun: [] }, failures: [], passed: 0 };
  await using temporary = await createTemporaryFolder('appkit-attack-');
  const folder = temporary.path;
  const hosts = await prepareHosts(run, folder, runs('cases') || runs('faults') || runs('soak') ? names : []);
  if (runs('patterns')) runPatterns(run);
  if (runs('cases')) await runCases(run, hosts, mutations);
  if (runs('faults')) await runFaults(run, hosts, folder);
  if (runs('soak')) await runSoaks(run, hosts, seconds);
  if (values.write) await writePage(run, { mutations, seconds });

  if (run.passed === 0 && run.failures.length === 0) run.failures.push('Nothing was run.');
  console.log(`${run.passed} passed, ${run.failures.length} failed`);
  return run.failures.length === 0 ? 0 : 1;
}

function count(run: Run, passed: number, wrong: readonly string[]): void {
  run.passed += passed;
  run.failures.push(...wrong);
  for (const failure of wrong) console.log(`FAIL ${failure}`);
}

async function prepareHosts(run: Run, folder: string, wanted: readonly string[]): Promise<PreparedHost[]> {
  const apps = await exportApp(folder);
  const hosts: PreparedHost[] = [];
  for (const name of wanted) {
    try {
      const host = await prepare(name, apps, path.join(folder, 'hosts'));
      if (typeof host !== 'string') {
        hosts.push(host);
        continue;
      }
      run.results.notRun.push({ name, reason: host });
      if (values['allow-missing']) console.log(`${name}: not run: ${host}`);
      else count(run, 0, [`${name}: not run: ${host}`]);
    } catch (error) {
      count(run, 0, [`${name}: ${String(error)}`]);
    }
  }
  return hosts;
}

function runPatterns(run: Run): void {
  run.results.patterns = tryPatterns(createRandom(`${values.seed} patterns`), values.short ? 2_000 : 10_000);
  const { growth, failures, patterns, lookups } = run.results.patterns;
  count(run, Object.keys(growth).length - failures.length, failures);
  console.log(
    `${patterns} patterns, ${lookups} look-ups: at most ${Math.max(...Object.values(growth)).toFixed(1)} times as long for sixteen times the length`,
  );
}

async function runCases(run: Run, hosts: readonly PreparedHost[], mutations: number): Promise<void> {
  const { seed, only } = values;
  run.results.attacks = await inParallel(hosts, AT_ONCE, async (host) => {
    const result = await (FUNCTION_HOSTS.includes(host.name)
      ? attackFunction(host, { seed, only })
      : attackHost(host, { seed, mutations, only }));
    count(run, result.passed, result.failures);
    const answered = Object.values(result.answered).reduce((sum, one) => sum + one, 0);
    const heap =
      result.memory &&
      `; the app has answered ${answered}, heap ${result.memory.before} → ${result.memory.after} bytes`;
    console.log(`${host.name}: ${result.passed} cases passed, ${result.failures.length} failed${heap ?? ''}`);
    return result;
  });
}

async function runFaults(run: Run, hosts: readonly PreparedHost[], folder: string): Promise<void> {
  const { seed, only, short } = values;
  const servers = hosts.filter(({ name }) => SERVER_HOSTS.includes(name));
  const options = { folder, kills: short ? 6 : 30 };
  const all = [
    ...servers.flatMap((host) => serverFaults(host, options).map((fault) => ({ on: host.name, fault }))),
    ...commandFaults(options).map((fault) => ({ on: 'appkit', fault })),
  ];
  const chosen = all.filter(({ fault }) => only === undefined || fault.name.includes(only));
  run.results.faults = await inParallel(chosen, AT_ONCE, async ({ on, fault }) => {
    // A generator of its own, whichever faults run at the same time.
    const random = createRandom(`${seed} faults ${on} ${fault.name}`);
    const wrong = await fault.run(random).catch((error: unknown) => [String(error)]);
    const isSurvived = wrong.length === 0;
    count(run, isSurvived ? 1 : 0, isSurvived ? [] : [`${on}: ${fault.name}: ${wrong.join('; ')}`]);
    if (isSurvived) console.log(`ok   ${on}: ${fault.name}`);
    return { on, name: fault.name, isSurvived };
  });
}

async function runSoaks(run: Run, hosts: readonly PreparedHost[], seconds: number): Promise<void> {
  const loaded = hosts.filter(({ name }) => SOAKED_HOSTS.includes(name));
  run.results.soaks = await inParallel(loaded, AT_ONCE, async (host) => {
    const result = await soak(host, { seed: values.seed, seconds, isPaced: values.short });
    count(run, result.failures.length === 0 ? 1 : 0, result.failures);
    const total = Object.values(result.answers).reduce((sum, one) => sum + one, 0);
    const { before, after } = result.heap;
    console.log(
      `${host.name}: ${total} answers in ${result.seconds.toFixed(0)} s, ${result.tasks} tasks, heap ${before} → ${after} bytes`,
    );
    return result;
  });
}

async function writePage({ results }: Run, amounts: Amounts): Promise<void> {
  const machine = `Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}.`;
  const page = toPage(results, { hosts: ATTACKED, machine, seed: values.seed, ...amounts });
  await writeFile(path.join(import.meta.dirname, '../docs/reliability.md'), page);
}
