import { usefulUntil } from './kept-answer.ts';
import type { KeptAnswer } from './kept-answer.ts';
import type { CacheStore, Mark } from './store.ts';
import { toVariantKey, varyOf } from './vary.ts';

/** Headers of one exchange or connection, or about how it was answered: RFC 9111 section 3.1. */
const UNKEPT = [
  'age',
  'cache-status',
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** The headers of an answer that are kept with it. */
export function toKeptHeaders(headers: Headers): KeptAnswer['headers'] {
  const ofConnection = (headers.get('connection') ?? '').toLowerCase().split(/[\s,]+/);
  return [...headers].filter(([name]) => !UNKEPT.includes(name) && !ofConnection.includes(name));
}

/** Where an answer is put. */
export interface Place {
  key: string;
  /** The headers of the request that the answer was made for. */
  headers: Headers;
  mark: Mark;
}

/**
 * Puts an answer into the store: under its URL, and under its request headers too if it depends on any.
 *
 * @returns `false` if the answer was invalidated while it was being made.
 */
export async function putAnswer(store: CacheStore, kept: KeptAnswer, { key, headers, mark }: Place): Promise<boolean> {
  const untilMs = usefulUntil(kept);
  if (untilMs <= Date.now()) return true;
  const vary = varyOf(new Headers(kept.headers));
  if (vary.length === 0) return store.set(key, kept, { mark, untilMs });
  const isSet = await store.set(toVariantKey(key, vary, headers), kept, { mark, untilMs });
  return isSet && store.set(key, { vary, tags: kept.tags, madeAtMs: kept.madeAtMs }, { mark, untilMs });
}
