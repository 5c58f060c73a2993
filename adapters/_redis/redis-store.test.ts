import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createClient } from '@redis/client';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { KeptAnswer } from '../_cache/kept-answer.ts';
import { redisStore } from './index.ts';
import type { RedisClient } from './index.ts';
import { findRedis, HOW_TO_INSTALL, startRedis } from './redis-server.cases.ts';
import type { RedisServer } from './redis-server.cases.ts';

const program = findRedis();
if (!program) console.warn(`${HOW_TO_INSTALL} Without it, its tests are skipped.`);

it.runIf(process.env['CI'])('has a server to be tested with', () => {
  expect(program, HOW_TO_INSTALL).toBeDefined();
});

const answer = (tags: string[], text: string): KeptAnswer => ({
  status: 200,
  statusText: 'OK',
  headers: [['content-type', 'text/plain']],
  body: new TextEncoder().encode(text),
  tags,
  madeAtMs: Date.now(),
  fresh: 60,
  staleWhileRevalidate: 0,
  staleIfError: 0,
});

interface Connection {
  client: RedisClient;
  close: () => void;
}

async function byIoredis(port: number): Promise<Connection> {
  const client = new Redis(port, '127.0.0.1');
  client.on('error', () => undefined);
  return { client, close: () => client.disconnect() };
}

async function byNodeRedis(port: number): Promise<Connection> {
  const client = createClient({ url: `redis://127.0.0.1:${port}` });
  client.on('error', () => undefined);
  await client.connect();
  return { client, close: () => client.destroy() };
}

describe.skipIf(!program).each([
  ['ioredis', byIoredis],
  ['redis', byNodeRedis],
] as const)('a store in Redis, by %s', (_, connect) => {
  let server: RedisServer;
  const connections: Connection[] = [];
  beforeAll(async () => void (server = await startRedis(program ?? '')));
  afterAll(() => server.stop());
  afterEach(() => {
    for (const { close } of connections.splice(0)) close();
  });
  const open = async (prefix: string): Promise<ReturnType<typeof redisStore>> => {
    const connection = await connect(server.port);
    connections.push(connection);
    // A busy machine may exceed the default.
    return redisStore(connection.client, { prefix, timeoutMs: 600_000 });
  };
  const untilMs = Date.now() + 3_600_000;

  it('sends from one instance what another has kept, byte for byte, separately for each prefix', async () => {
    const [one, other, stranger] = [await open('a'), await open('a'), await open('b')];
    const body = Uint8Array.from({ length: 256 }, (_, index) => index);
    const kept = { ...answer(['posts'], ''), body };
    expect(await one.set('key', kept, { mark: await one.begin(), untilMs })).toBe(true);
    expect([await other.get('key'), await other.get('key'), await one.get('key')]).toEqual([kept, kept, kept]);
    expect(await stranger.get('key')).toBeUndefined();
    const vary = { vary: ['a'], tags: ['posts'], madeAtMs: 5 };
    await one.set('varied', vary, { mark: await one.begin(), untilMs });
    expect(await other.get('varied')).toEqual(vary);
  });

  it('invalidates a tag for all instances at once, including their own memory', async () => {
    const [one, other] = [await open('c'), await open('c')];
    const mark = await one.begin();
    await one.set('posts', answer(['posts', 'a'], 'posts'), { mark, untilMs });
    await one.set('users', answer(['users'], 'users'), { mark, untilMs });
    await other.get('posts');
    await one.invalidate(['posts']);
    expect([await other.get('posts'), await one.get('posts')]).toEqual([undefined, undefined]);
    expect(await other.get('users')).toMatchObject({ tags: ['users'] });
  });

  it('keeps nothing that was begun before its tag was invalidated by any instance', async () => {
    const [one, other] = [await open('d'), await open('d')];
    const mark = await one.begin();
    await other.invalidate(['posts']);
    expect(await one.set('key', answer(['posts'], 'old'), { mark, untilMs })).toBe(false);
    expect(await other.get('key')).toBeUndefined();
    expect(await one.set('key', answer(['posts'], 'new'), { mark: await one.begin(), untilMs })).toBe(true);
  });

  it('forgets in time', async () => {
    const one = await open('e');
    await one.set('key', answer([], 'short'), { mark: await one.begin(), untilMs: Date.now() + 20 });
    await expect.poll(() => one.get('key')).toBeUndefined();
  });

  it('lets one instance make an answer, and tells the others when it is available', async () => {
    const [one, other] = [await open('f'), await open('f')];
    const unlock = await one.lock?.('key');
    expect([await other.lock?.('key'), typeof (await other.lock?.('another'))]).toEqual([false, 'function']);
    let isThere = false;
    const waiting = other.waitFor?.('key').then(() => (isThere = true));
    expect(isThere).toBe(false);
    if (unlock) await unlock();
    await waiting;
    expect(typeof (await other.lock?.('key'))).toBe('function');
  });
});

it('refuses a value that is not a client', () => {
  expect(() => redisStore({} as RedisClient)).toThrow('redisStore() was given no client.');
});

it('waits for Redis up to its time-out, and then leaves it alone for a while', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const call = vi.fn(() => new Promise<never>(() => undefined));
  const store = redisStore({ call }, { timeoutMs: 10 });
  await expect(store.get('key')).rejects.toThrow('Redis did not answer within 10 ms.');
  await expect(store.get('key')).rejects.toThrow('Redis failed a moment ago.');
  expect(call).toHaveBeenCalledTimes(1);
});

describe.skipIf(!program)('three instances of an app', () => {
  let server: RedisServer;
  let instances: Instance[] = [];
  beforeAll(async () => {
    server = await startRedis(program ?? '');
    instances = await Promise.all([1, 2, 3].map(() => startInstance(server.port)));
  });
  afterAll(async () => {
    for (const { child } of instances) child.kill('SIGKILL');
    await server.stop();
  });
  const made = async (): Promise<number> => {
    const counts = await Promise.all(instances.map((instance) => instance.control({})));
    return counts.reduce((sum, count) => sum + count.made, 0);
  };
  const all = <Result>(work: (instance: Instance) => Promise<Result>): Promise<Result[]> =>
    Promise.all(instances.map(work));

  it('make one answer for 100 simultaneous requests', async () => {
    const before = await made();
    await all((instance) => instance.control({ hold: 'yes' }));
    const asked = Array.from({ length: 100 }, (_, index) => instances[index % 3]?.get('/posts/cold'));
    await Promise.race(instances.map((instance) => instance.printed('begun')));
    await all((instance) => instance.control({ let: 'go' }));
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['first']));
    expect((await made()) - before).toBe(1);
    expect(instances.flatMap(({ lines }) => lines.filter((line) => line.startsWith('error')))).toEqual([]);
  });

  it('all send the new answer once one of them has invalidated the old one', async () => {
    await all((instance) => instance.get('/posts/1'));
    await all((instance) => instance.control({ write: 'second' }));
    expect(await all((instance) => instance.get('/posts/1'))).toEqual(['first', 'first', 'first']);
    await instances[0]?.control({ forget: 'posts' });
    expect(await all((instance) => instance.get('/posts/1'))).toEqual(['second', 'second', 'second']);
  });

  it('do not keep an old answer that one was making while another invalidated it', async () => {
    const [one, other] = instances as [Instance, Instance];
    await all((instance) => instance.control({ write: 'old' }));
    await one.control({ forget: 'posts', hold: 'yes' });
    const old = one.get('/posts/2');
    await one.printed('begun');
    await all((instance) => instance.control({ write: 'new' }));
    await other.control({ forget: 'posts' });
    await one.control({ let: 'go' });
    expect(await old).toBe('old');
    expect(await all((instance) => instance.get('/posts/2'))).toEqual(['new', 'new', 'new']);
  });

  it('go on without Redis, answer each request by the app, and report this once', async () => {
    await all((instance) => instance.control({ hurry: 'yes' }));
    await server.stop();
    const before = await made();
    for (let times = 0; times < 5; times++)
      expect(await all((instance) => instance.get('/posts/3'))).toEqual(['new', 'new', 'new']);
    expect((await made()) - before).toBe(15);
    for (const { lines } of instances) {
      expect(lines.filter((line) => line.startsWith('error'))).toEqual([
        'error: The store of the cache fails. Requests are answered without it, each by the app.',
      ]);
    }
  });

  it('keep answers again once Redis is back', async () => {
    server = await startRedis(program ?? '', server.port);
    const madeBy = async (): Promise<number> => {
      const before = await made();
      await all((instance) => instance.get('/posts/4'));
      return (await made()) - before;
    };
    await expect.poll(madeBy).toBe(0);
  });
});

describe.skipIf(!program)('two releases of an app with one Redis', () => {
  let server: RedisServer;
  let instances: Instance[] = [];
  beforeAll(async () => {
    server = await startRedis(program ?? '');
    instances = await Promise.all(['old', 'new', 'new'].map((release) => startInstance(server.port, release)));
  });
  afterAll(async () => {
    for (const { child } of instances) child.kill('SIGKILL');
    await server.stop();
  });
  const getAll = (): Promise<string[]> => Promise.all(instances.map((instance) => instance.get('/posts/1')));

  it('send only the answers of their own release, each made once', async () => {
    const [old, first, second] = instances as [Instance, Instance, Instance];
    expect([await old.get('/posts/1'), await first.get('/posts/1'), await second.get('/posts/1')]).toEqual([
      'old',
      'new',
      'new',
    ]);
    const counts = await Promise.all(instances.map((instance) => instance.control({})));
    expect(counts.map(({ made }) => made)).toEqual([1, 1, 0]);
  });

  it('share invalidations', async () => {
    const [old, first, second] = instances as [Instance, Instance, Instance];
    await getAll();
    await old.control({ write: 'old, edited' });
    await first.control({ write: 'new, edited' });
    await second.control({ write: 'new, edited', forget: 'posts' });
    expect(await getAll()).toEqual(['old, edited', 'new, edited', 'new, edited']);
  });
});

interface Instance {
  child: ChildProcess;
  lines: string[];
  get(path: string): Promise<string>;
  control(what: Record<string, string>): Promise<{ made: number }>;
  /** Resolves when it prints a line from now on. */
  printed(line: string): Promise<void>;
}

async function startInstance(redisPort: number, ...release: string[]): Promise<Instance> {
  const file = path.join(import.meta.dirname, 'instance.cases.ts');
  const child = spawn(process.execPath, [file, String(redisPort), ...release], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const reader = createInterface({ input: child.stdout });
  const lines: string[] = [];
  reader.on('line', (line) => void lines.push(line));
  const printed = async (wanted: string): Promise<void> => {
    // Several lines may come at once.
    const before = lines.length;
    while (!lines.slice(before).some((line) => line.startsWith(wanted))) await once(reader, 'line');
  };
  await printed('ready');
  const origin = `http://127.0.0.1:${lines.at(-1)?.split(' ')[1]}`;
  return {
    child,
    lines,
    printed,
    // As behind a proxy: all requests have the same host, and so the same URL.
    get: async (target) => (await fetch(origin + target, { headers: { 'x-forwarded-host': 'app.test' } })).text(),
    async control(what) {
      const response = await fetch(`${origin}/control`, { method: 'POST', body: JSON.stringify(what) });
      return (await response.json()) as { made: number };
    },
  };
}
