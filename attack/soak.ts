import { setTimeout as delay } from 'node:timers/promises';
import { connect } from '../conformance/generic/raw-http.ts';
import type { PreparedHost } from '../conformance/hosts.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { memoryOf, start } from './start-host.ts';

/** The result of the load on one host. */
export interface SoakResult {
  host: string;
  seconds: number;
  /** The number of checked answers, by kind of request. */
  answers: Record<string, number>;
  /** Tasks that were accepted and ran once. */
  tasks: number;
  /** The heap in bytes, after a garbage collection. */
  heap: { before: number; after: number };
  failures: string[];
}

const WORKERS = 24;
const FUSE_MS = 60_000;

/**
 * The factor by which the heap may grow under load. No allowance is added for chance: once the warm-up is over, chance
 * amounts to 1 to 2 % on node and on bun.
 */
const HEAP_MARGIN = 1.05;

/**
 * On a machine so busy that it has answered less, a load goes on for longer: a leak shows by the number of requests.
 */
const LEAST_ANSWERS_PER_SECOND = 400;

/**
 * Puts a host under load for a while, after a warm-up of the same load.
 *
 * @param isPaced – requests only the minimum of answers per second, which leaves the processors to others.
 */
export async function soak(
  host: PreparedHost,
  { seed, seconds, isPaced }: { seed: string; seconds: number; isPaced: boolean },
): Promise<SoakResult> {
  const server = await start(host);
  const { origin } = server;
  const result: SoakResult = {
    host: host.name,
    seconds,
    answers: {},
    tasks: 0,
    heap: { before: 0, after: 0 },
    failures: [],
  };
  const fail = (problem: string): void => {
    if (result.failures.length < 20) result.failures.push(`${host.name}: soak: ${problem}`);
  };
  try {
    const state: State = {
      origin,
      isPaced,
      random: createRandom(`${seed} soak`),
      accepted: new Set(),
      seen: new Set(),
      result,
      fail,
    };
    // In two parts: data that the first collection has freed but that is needed again exists before the second. And at
    // least 20 seconds: Bun discards compiled code that has been idle for so long, a sixth of its heap.
    const warmUp = Math.min(120, Math.max(20, seconds / 4));
    await load(state, warmUp / 2);
    await memoryOf(origin);
    await load(state, warmUp / 2);
    result.answers = {};
    result.tasks = 0;
    result.heap.before = (await memoryOf(origin)).heapUsed;
    const started = performance.now();
    await load(state, seconds);
    result.seconds = (performance.now() - started) / 1000;
    result.heap.after = (await memoryOf(origin)).heapUsed;
    const { before, after } = result.heap;
    if (after > before * HEAP_MARGIN) fail(`the heap grew from ${before} to ${after} bytes`);
  } catch (error) {
    fail(String(error));
  }
  const { code, output } = await server.stop();
  if (code !== 0) fail(`the process ended with ${code}: ${output.slice(-1000)}`);
  const unhandled = /unhandled|uncaught|panic|fatal/i.exec(output)?.[0];
  if (unhandled !== undefined) fail(`it printed ${unhandled}`);
  return result;
}

interface State {
  origin: string;
  isPaced: boolean;
  random: Random;
  /** Tasks that were accepted and have not been seen running yet. */
  accepted: Set<string>;
  /** Tasks that have run. */
  seen: Set<string>;
  result: SoakResult;
  fail: (problem: string) => void;
}

async function load(state: State, seconds: number): Promise<void> {
  const started = performance.now();
  const end = started + seconds * 1000;
  const least = seconds * LEAST_ANSWERS_PER_SECOND;
  let left = least;
  const goesOn = (): boolean => performance.now() < end || left > 0;
  const workers = Array.from({ length: WORKERS }, async () => {
    while (goesOn()) {
      const dueMs = started + ((least - left) / LEAST_ANSWERS_PER_SECOND) * 1000;
      left -= 1;
      if (state.isPaced) await delay(Math.max(0, dueMs - performance.now()));
      await askOnce(state);
    }
  });
  const settling = (async () => {
    while (goesOn()) {
      await delay(500);
      await settleTasks(state);
    }
  })();
  await Promise.all([...workers, settling]);
  await delay(500);
  // A task runs at a time of its own choice; the wait for a task that never runs is limited.
  const fuse = performance.now() + FUSE_MS;
  do await settleTasks(state);
  while (state.accepted.size > 0 && performance.now() < fuse);
  for (const name of state.accepted) state.fail(`the accepted task ${name} did not run`);
  state.accepted.clear();
}

async function askOnce(state: State): Promise<void> {
  const { random, result, fail } = state;
  const kind = random.pick(Object.keys(QUESTIONS)) as keyof typeof QUESTIONS;
  const token = random.token();
  try {
    const problem = await QUESTIONS[kind](state, token);
    if (problem !== undefined) fail(`${kind}: ${problem}`);
    result.answers[kind] = (result.answers[kind] ?? 0) + 1;
  } catch (error) {
    fail(`${kind}: ${String((error as Error).cause ?? error)}`);
  }
}

/** The requests sent under load. Each returns what is wrong with its answer. */
const QUESTIONS = {
  async echo({ origin }: State, token: string) {
    const response = await fetch(`${origin}/echo?token=${token}`, {
      method: 'POST',
      body: token.repeat(50),
      headers: { 'x-token': token },
    });
    const { body, url, headers } = (await response.json()) as {
      body: string;
      url: string;
      headers: [string, string][];
    };
    const isRight = body === token.repeat(50) && url.endsWith(token) && headers.some(([, value]) => value === token);
    return isRight ? undefined : `an answer to ${token} was ${url}`;
  },
  async parameter({ origin }: State, token: string) {
    const text = await (await fetch(`${origin}/canary/${token}`)).text();
    return text === `canary ${token}` ? undefined : `an answer to ${token} was ${text}`;
  },
  async 'static file'({ origin }: State) {
    const text = await (await fetch(`${origin}/nested/file.txt`)).text();
    return text === 'a nested file\n' ? undefined : `the file was ${text}`;
  },
  async error({ origin }: State) {
    const response = await fetch(`${origin}/error`);
    const text = await response.text();
    return response.status === 500 && text === 'Internal server error' ? undefined : `${response.status} ${text}`;
  },
  async stream({ origin }: State, token: string) {
    const lines = (await (await fetch(`${origin}/stream?parts=20&token=${token}`)).text()).trim().split('\n');
    const isRight = lines.length === 20 && lines.every((line, index) => line === `${token} ${index}`);
    return isRight ? undefined : `the stream of ${token} was ${lines.join(', ')}`;
  },
  async 'stream that fails'({ origin }: State, token: string) {
    const response = await fetch(`${origin}/stream?parts=3&fails&token=${token}`);
    const end = await response.text().catch(() => 'failed');
    return end === 'failed' ? undefined : `a broken stream ended as if it were whole: ${end}`;
  },
  async 'stream that is left'({ origin }: State, token: string) {
    const connection = await connect(origin);
    await connection.write(`GET /stream?parts=1000&token=${token} HTTP/1.1\r\nHost: x\r\n\r\n`);
    const { status } = await connection.head();
    connection.destroy();
    return status === 200 ? undefined : `status ${status}`;
  },
  async 'upload that is left'({ origin }: State) {
    const connection = await connect(origin);
    await connection.write(`POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 99999\r\n\r\n${'a'.repeat(9999)}`);
    connection.destroy();
    return undefined;
  },
  async task({ origin, accepted }: State, token: string) {
    const text = await (await fetch(`${origin}/task?token=${token}`, { method: 'POST' })).text();
    if (text !== `accepted ${token}`) return `an answer to ${token} was ${text}`;
    for (const name of [`${token} run`, `${token} deferred`]) accepted.add(name);
    return undefined;
  },
};

/** Asks which tasks have run; the server then forgets them. A task may have run before its acceptance was read here. */
async function settleTasks({ origin, accepted, seen, result, fail }: State): Promise<void> {
  const { once, again } = (await (await fetch(`${origin}/task`)).json()) as { once: string[]; again: string[] }; // of our own app
  for (const name of again) fail(`the task ${name} ran more than once`);
  for (const name of once) {
    if (seen.has(name)) fail(`the task ${name} ran again`);
    seen.add(name);
  }
  for (const name of accepted) {
    if (!seen.has(name)) continue;
    accepted.delete(name);
    result.tasks += 1;
  }
}
