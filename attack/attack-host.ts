import type { AttackPlan } from '../conformance/emulator.ts';
import type { PreparedHost } from '../conformance/hosts.ts';
import { inParallel } from '../conformance/in-parallel.ts';
import { heapNoiseOf } from './attacked-hosts.ts';
import type { AttackCase } from './case.ts';
import { authority, redirects } from './cases/authority.ts';
import { halfRead } from './cases/half-read.ts';
import { injection, prototypes } from './cases/injection.ts';
import { mutated } from './cases/mutated.ts';
import { paths } from './cases/paths.ts';
import { sizes } from './cases/sizes.ts';
import { endStuck, slow, stuck } from './cases/slow.ts';
import { smuggling } from './cases/smuggling.ts';
import { judgeNext, play } from './judge.ts';
import type { Verdict } from './judge.ts';
import { createRandom } from './random.ts';
import { TIMEOUTS_SIGNAL, memoryOf, start } from './start-host.ts';

/** The result of the attacks on one host. */
export interface AttackResult {
  host: string;
  /** Cases by subject. */
  subjects: Record<string, number>;
  /** How many of those the app itself has answered: a host that refused everything would pass them all. */
  answered: Record<string, number>;
  passed: number;
  /** Each with what is wrong. */
  failures: string[];
  /**
   * Bytes after garbage collection: after a warm-up with all attacks, and after repeating all of them. Missing where we
   * cannot measure it.
   */
  memory?: { before: number; after: number };
}

/** The factor by which memory may grow during a round of attacks. */
export const MEMORY_FACTOR = 1.05;

/** The share of cases that the app has to answer, by subject: most of the share on the host that refuses most. */
const ANSWERED_SHARE: Readonly<Record<string, number>> = {
  injection: 0.8,
  prototypes: 0.7,
  paths: 0.18,
  authority: 0.5,
  redirects: 0.45,
  sizes: 0.4,
};

/** Plays every case against a host. */
export async function attackHost(
  host: PreparedHost,
  { seed, mutations, only }: { seed: string; mutations: number; only: string | undefined },
): Promise<AttackResult> {
  const random = createRandom(`${seed} ${host.name}`);
  const subjects: Record<string, readonly AttackCase[]> = {
    smuggling,
    injection,
    prototypes,
    paths,
    authority,
    redirects,
    sizes,
    mutated: mutated(random, mutations),
  };
  const server = await start(host, { lowersTimeouts: true });
  const { origin } = server;
  const memory = { before: 0, after: 0 };
  const result: AttackResult = { host: host.name, subjects: {}, answered: {}, passed: 0, failures: [], memory };
  const count = (subject: string, name: string, problems: readonly string[]): void => {
    result.subjects[subject] = (result.subjects[subject] ?? 0) + 1;
    if (problems.length === 0) result.passed += 1;
    else result.failures.push(`${host.name}: ${subject}: ${name}: ${problems.join('; ')}`);
  };
  const playAll = async (into: typeof count): Promise<void> => {
    for (const [subject, cases] of Object.entries(subjects)) {
      const chosen = cases.filter(({ name }) => only === undefined || `${subject}: ${name}`.includes(only));
      // Several at once: most of the time is spent waiting for connections to close.
      await inParallel(chosen, 8, async (attack) => {
        const { problems, isAnswered } = await tryToPlay(attack, origin, random.token());
        if (isAnswered && into === count) result.answered[subject] = (result.answered[subject] ?? 0) + 1;
        into(subject, attack.name, problems);
      });
    }
  };
  const plan: AttackPlan = host.attack ?? { kind: 'server' };
  const isNode = plan.isNodeHttp ?? false;
  const playTimeouts = async (into: typeof count): Promise<void> => {
    const nameOf = (what: string): string => `${what} are closed`;
    const chosen = stuck.filter(({ name }) => only === undefined || `slow: ${nameOf(name)}`.includes(only));
    server.signal(TIMEOUTS_SIGNAL);
    // At once: they wait until the time-outs end.
    const wrong = await inParallel(chosen, chosen.length, (how) => tryTo(() => endStuck(origin, how)));
    server.signal(TIMEOUTS_SIGNAL);
    for (const [index, { name }] of chosen.entries())
      into('slow', nameOf(name), [...(wrong[index] ?? []), ...(await judgeNext(origin, random.token()))]);
  };
  const playSlow = async (into: typeof count): Promise<void> => {
    const chosen = slow.filter(({ name }) => only === undefined || `slow: ${name}`.includes(only));
    await inParallel(chosen, chosen.length, async ({ name, run }) => {
      const wrong = await tryTo(() => run({ origin, random }));
      into('slow', name, [...wrong, ...(await judgeNext(origin, random.token()))]);
    });
    if (isNode) await playTimeouts(into);
  };
  const playHalfRead = async (into: typeof count): Promise<void> => {
    const chosen = halfRead(isNode).filter(({ name }) => only === undefined || `half-read: ${name}`.includes(only));
    await inParallel(chosen, 8, async ({ name, run }) => {
      into('half-read', name, await tryTo(() => run({ origin, random })));
    });
  };
  const ignore = (): void => undefined;
  try {
    await playAll(count);
    const shares = { ...ANSWERED_SHARE, ...plan.answeredShare };
    for (const [subject, share] of Object.entries(only === undefined ? shares : {})) {
      const [all, answered] = [result.subjects[subject] ?? 0, result.answered[subject] ?? 0];
      count('answered', subject, answered < share * all ? [`only ${answered} of ${all} are answered by the app`] : []);
    }
    await playHalfRead(count);
    await playSlow(count);
    // Code and data that are compiled, cached or pooled in the second round exist before the measurement.
    await playAll(ignore);
    await playHalfRead(ignore);
    memory.before = (await memoryOf(origin)).heapUsed;
    await playSlow(ignore);
    await playAll(ignore);
    await playHalfRead(ignore);
    if (Object.keys(result.subjects).length === 0)
      result.failures.push(`${host.name}: no case has ${only} in its name`);
    memory.after = (await memoryOf(origin)).heapUsed;
    const { before, after } = memory;
    count(
      'memory',
      'is given back',
      after > before * MEMORY_FACTOR + heapNoiseOf(plan) ? [`${before} bytes became ${after}`] : [],
    );
  } catch (error) {
    result.failures.push(`${host.name}: ${String(error)}`);
  }
  for (const { name, problems } of judgeProcess(await server.stop())) count('process', name, problems);
  return result;
}

/** The state of a process after the attacks, by check. */
export function judgeProcess({ code, output }: { code: number | null; output: string }): {
  name: string;
  problems: string[];
}[] {
  const unhandled = /unhandled|uncaught|panic|fatal/i.exec(output)?.[0];
  // Otherwise clients that leave in the middle of an upload, as many do here, could fill a log.
  const ofClients = /.*(?:AbortError|BadResource|ECONNRESET|aborted).*/i.exec(output)?.[0];
  return [
    {
      name: 'lives until it is stopped',
      problems: [
        ...(code === 0 ? [] : [`ended with ${code}: ${output.slice(-1000)}`]),
        ...(unhandled === undefined ? [] : [`it printed ${unhandled}: ${output.slice(-1000)}`]),
      ],
    },
    { name: 'reports no client that has left', problems: ofClients === undefined ? [] : [`it printed ${ofClients}`] },
  ];
}

async function tryToPlay(attack: AttackCase, origin: string, token: string): Promise<Verdict> {
  try {
    return await play(attack, origin, token);
  } catch (error) {
    return { problems: [String(error)], isAnswered: false };
  }
}

/** What is wrong, including errors of the attack itself. */
export async function tryTo(work: () => Promise<string[]>): Promise<string[]> {
  try {
    return await work();
  } catch (error) {
    return [String(error)];
  }
}
