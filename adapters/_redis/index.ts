import { codedError } from '../../runtime/host.ts';
import type { Kept } from '../_cache/kept-answer.ts';
import { createMemoryStore } from '../_cache/memory-store.ts';
import type { CacheStore } from '../_cache/store.ts';
import { createSend } from './client.ts';
import type { RedisClient } from './client.ts';
import { GET, INVALIDATE, SET, UNLOCK } from './scripts.ts';
import { deserialize, serialize } from './serialize.ts';

export type { CacheStore } from '../_cache/store.ts';
export type { IoredisClient, NodeRedisClient, RedisClient } from './client.ts';

/** Options of a store in Redis. */
export interface RedisStoreOptions {
  /**
   * The prefix of all keys. Two apps on one server need different prefixes; releases of one app keep their answers
   * apart automatically. Default: `appkit`.
   */
  prefix?: string | undefined;
  /** How long Redis may take to answer, in milliseconds, before the app answers without it. Default: 200. */
  timeoutMs?: number | undefined;
  /**
   * How many bytes of the stored answers this process also keeps in memory, so that Redis does not send them again.
   * Each time, the process asks Redis whether they are still valid. Default: 16777216 (16 MiB).
   */
  maxBytes?: number | undefined;
}

/** No answer is kept longer than this, in seconds; invalidations are remembered for one more day. */
const LONGEST_SECONDS = 30 * 24 * 60 * 60;
/** After this time, in milliseconds, an instance that makes an answer counts as dead. */
const LOCK_MS = 10_000;
/** The interval at which a waiting instance checks, in milliseconds. */
const LOOK_MS = 20;

/**
 * Keeps answers in Redis or Valkey, for all instances of an app: what one instance has made, the others send too; one
 * instance makes the answer to simultaneous requests, and `invalidate()` applies to all as soon as it resolves.
 *
 * ```js
 * createRequestHandler({ build, cache: { store: redisStore(new Redis(process.env.REDIS_URL)) } });
 * ```
 *
 * While Redis cannot be reached, the app answers without keeping anything; `onError` is called once, and `invalidate()` rejects.
 *
 * @param client – a client of `ioredis`, or a connected one of `redis`. Listen to its `error` event, otherwise an error ends the process.
 * @throws TypeError when it is neither.
 */
export function redisStore(
  client: RedisClient,
  { prefix = 'appkit', timeoutMs = 200, maxBytes = 16 * 1024 * 1024 }: RedisStoreOptions = {},
): CacheStore {
  const { call, sendCommand } = (client ?? {}) as { call?: unknown; sendCommand?: unknown };
  if (typeof (call ?? sendCommand) !== 'function') {
    throw codedError('ERR_OPTION_INVALID', 'redisStore() was given no client. Give it one of ioredis or of redis.');
  }
  const send = createSend(client, timeoutMs);
  // In braces, so that all keys are on one node of a cluster: a script reads several.
  const keyOf = (kind: string, name: string): string => `{${prefix}}:${kind}:${name}`;
  const tags = keyOf('tag', '');
  const numberKey = keyOf('number', '');
  const near = createMemoryStore(maxBytes);
  const idOf = new WeakMap<Kept, string>();

  const keepNear = (key: string, kept: Kept, id: string): void => {
    idOf.set(kept, id);
    const mark = near.begin();
    void near.set(key, kept, { mark, untilMs: Infinity });
    near.end(mark);
  };

  return {
    begin: async () => Number((await send('GET', numberKey)) ?? 0),
    end: () => undefined,
    async get(key) {
      const known = near.get(key) as Kept | undefined; // the memory store answers at once
      const knownId = (known && idOf.get(known)) ?? '';
      const found = (await send('EVAL', GET, '1', keyOf('answer', key), tags, knownId)) as string[] | null;
      if (!found) return undefined;
      const [id = '', text] = found;
      if (text === undefined) return known;
      const kept = deserialize(text);
      keepNear(key, kept, id);
      return kept;
    },
    async set(key, kept, { mark, untilMs }) {
      const id = crypto.randomUUID();
      const until = Math.min(untilMs, Date.now() + LONGEST_SECONDS * 1000);
      const rest = [tags, String(mark), id, serialize(kept), String(Math.ceil(until)), ...kept.tags];
      const isSet = (await send('EVAL', SET, '1', keyOf('answer', key), ...rest)) === 1;
      if (isSet) keepNear(key, kept, id);
      return isSet;
    },
    async invalidate(given) {
      await send('EVAL', INVALIDATE, '1', numberKey, tags, String(LONGEST_SECONDS + 24 * 60 * 60), ...given);
    },
    async lock(key) {
      const [name, holder] = [keyOf('lock', key), crypto.randomUUID()];
      if ((await send('SET', name, holder, 'NX', 'PX', String(LOCK_MS))) === null) return false;
      return async () => void (await send('EVAL', UNLOCK, '1', name, holder));
    },
    async waitFor(key) {
      const end = Date.now() + LOCK_MS;
      while (Date.now() < end && (await send('EXISTS', keyOf('lock', key))) === 1) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
    },
  };
}
