import { handled } from '../../runtime/host.ts';
import type { Handler, HostContext } from '../../runtime/host.ts';
import { peek } from '../_http/peek.ts';
import type { Beginning } from '../_http/peek.ts';
import { isBetterClean, mayHideReads, toCleanRequest } from './clean-request.ts';
import { usefulUntil } from './kept-answer.ts';
import type { KeptAnswer } from './kept-answer.ts';
import { toLifetimes } from './lifetimes.ts';
import type { NotedKeys } from './noted-keys.ts';
import { readWhole } from './read-whole.ts';
import type { CacheStore, Mark } from './store.ts';
import { toVariantKey, varyOf } from './vary.ts';

/** What an answer is made for. */
export interface Making {
  key: string;
  request: Request;
  host: HostContext;
}

/** What it is made with. */
export interface Maker {
  handler: Handler;
  store: CacheStore;
  /** The largest body that is kept, in bytes. */
  maxBodyBytes: number;
  known: NotedKeys;
  /** Does something with the store. What fails is reported, and gives nothing. */
  attempt<Result>(request: Request, work: () => Result | Promise<Result>): Promise<Result | undefined>;
}

/** They are of one exchange, or say how it was answered. */
const UNKEPT = ['age', 'cache-status', 'connection', 'keep-alive', 'proxy-authenticate', 'set-cookie', 'trailer'];

/**
 * Has an answer made, and keeps it where it may be kept.
 *
 * @param settle – called once with what is kept, or with nothing once it is known that nothing is.
 */
export async function makeAnswer(
  { key, request: asked, host }: Making,
  { handler, store, maxBodyBytes, known, attempt }: Maker,
  settle: (kept?: KeptAnswer) => void,
): Promise<Response> {
  const vary = known.get(key);
  const request = vary && isBetterClean(asked) ? toCleanRequest(asked, vary) : asked;
  const mark = await attempt(request, () => store.begin());
  const end = (kept?: KeptAnswer): void => {
    if (mark !== undefined) store.end(mark);
    settle(kept);
  };
  let tags: readonly string[] | undefined;
  let hasFailed = false;
  const response = await handler(request, {
    __proto__: host,
    onKept: (given: readonly string[]) => void (tags = given),
    onFailure: () => void (hasFailed = true),
  } as HostContext);
  const isKept = tags !== undefined && request.method === 'GET' && response.status !== 304;
  const names = varyOf(response.headers);
  // What was asked with a condition says nothing of what others are answered.
  if (response.status !== 304) known.note(key, isKept && names);
  const lifetimes = isKept ? toLifetimes(response.headers) : undefined;
  if (!lifetimes || mark === undefined || (mayHideReads(request) && !names.includes('cookie'))) {
    end();
    return response;
  }

  const keep = async (body: Uint8Array): Promise<void> => {
    // A page of which a part has failed looks whole.
    if (hasFailed) return end();
    const kept: KeptAnswer = {
      status: response.status,
      statusText: response.statusText,
      headers: [...response.headers].filter(([name]) => !UNKEPT.includes(name)),
      body,
      tags: tags ?? [],
      madeAtMs: Date.now() - 1000 * (Number(response.headers.get('age')) || 0),
      ...lifetimes,
    };
    const isPut = await attempt(request, () => put(store, mark, { key, headers: request.headers, kept, vary: names }));
    // What was invalidated meanwhile is for those alone who had asked before.
    end(isPut === false ? undefined : kept);
  };
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  headers.set('cache-status', 'appkit; fwd=miss');
  const head = { status, statusText, headers };
  if (!response.body) {
    await keep(new Uint8Array());
    return new Response(null, head);
  }
  const reader = response.body.getReader();
  const beginning = await peek(reader).catch((error: unknown): Beginning => ({ next: handled(Promise.reject(error)) }));
  if (beginning.whole) {
    if (beginning.whole.byteLength <= maxBodyBytes) await keep(beginning.whole);
    else end();
    return new Response(beginning.whole as Uint8Array<ArrayBuffer>, head);
  }
  const { body, whole } = readWhole(reader, beginning, maxBodyBytes);
  const kept = whole.then((bytes) => (bytes ? keep(bytes) : end()));
  host.waitUntil?.(kept);
  return new Response(body, head);
}

async function put(
  store: CacheStore,
  mark: Mark,
  { key, headers, kept, vary }: { key: string; headers: Headers; kept: KeptAnswer; vary: readonly string[] },
): Promise<boolean> {
  const untilMs = usefulUntil(kept);
  if (untilMs <= Date.now()) return true;
  if (vary.length === 0) return store.set(key, kept, { mark, untilMs });
  const isSet = await store.set(toVariantKey(key, vary, headers), kept, { mark, untilMs });
  return isSet && store.set(key, { vary, tags: kept.tags, madeAtMs: kept.madeAtMs }, { mark, untilMs });
}
