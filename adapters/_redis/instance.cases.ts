/** One instance of an app that keeps its answers in Redis, for the test: `node instance.cases.ts <port of Redis> [release]`. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Redis } from 'ioredis';
import { cache, invalidate } from '../../runtime/index.ts';
import { createRequestHandler } from '../node/index.ts';
import { redisStore } from './index.ts';
import type { CacheStore } from './index.ts';

const redis = new Redis(Number(process.argv[2]), '127.0.0.1', { retryStrategy: () => 50 });
redis.on('error', () => undefined);

// A busy machine may exceed the default, and an answer made without Redis would be one too many. A test of an
// unreachable Redis sets it.
const patient = redisStore(redis, { timeoutMs: 600_000 });
const hasty = redisStore(redis);
let store = patient;

let made = 0;
const ownRelease = process.argv[3];
let value = ownRelease ?? 'first';
let wait = Promise.resolve();
let release = (): void => undefined;

const posts = {
  async GET(): Promise<Response> {
    made += 1;
    const read = value;
    cache({ maxAge: 600, tags: ['posts'] });
    process.stdout.write('begun\n');
    await wait;
    return new Response(read);
  },
};

const control = {
  async POST(request: Request): Promise<Response> {
    const { hold, let: go, write, forget, hurry } = (await request.json()) as Record<string, string | undefined>;
    if (hurry) store = hasty;
    if (hold) wait = new Promise((resolve) => (release = resolve));
    if (go) release();
    if (write) value = write;
    if (forget) await invalidate(forget);
    return Response.json({ made });
  },
};

const build = {
  manifest: {
    version: 2,
    usesCache: true,
    ...(ownRelease === undefined ? {} : { release: ownRelease }),
    routes: [
      { pattern: '/posts/[id]', file: 'posts.js', methods: [], usesCache: true },
      { pattern: '/control', file: 'control.js', methods: [] },
    ],
  },
  modules: { 'posts.js': () => posts, 'control.js': () => control },
};

const handler = createRequestHandler({
  build,
  trustProxy: true,
  cache: { store: new Proxy(patient, { get: (_, name: keyof CacheStore) => store[name] }) },
  onError: (error) => void process.stdout.write(`error: ${(error as Error).message}\n`),
});
const server = createServer(handler).listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`ready ${(server.address() as AddressInfo).port}\n`);
