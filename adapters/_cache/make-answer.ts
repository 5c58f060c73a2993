import { handled, readerOf } from '../../runtime/host.ts';
import type { Handler, HostContext } from '../../runtime/host.ts';
import { peek } from '../_http/peek.ts';
import type { Beginning } from '../_http/peek.ts';
import { hasMore, isBetterClean, mayHideReads, toCleanRequest } from './clean-request.ts';
import { discard } from './discard.ts';
import type { KeptAnswer } from './kept-answer.ts';
import { toLifetimes } from './lifetimes.ts';
import type { NotedKeys } from './noted-keys.ts';
import { putAnswer, toKeptHeaders } from './put-answer.ts';
import { freshen, toConditions } from './revalidate.ts';
import { shareBody } from './share-body.ts';
import type { CacheStore } from './store.ts';
import { toResponse } from './to-response.ts';
import type { ResponseClass } from './to-response.ts';
import { varyOf } from './vary.ts';

/** The request that an answer is made for. */
export interface Making {
  key: string;
  request: Request;
  host: HostContext;
  /** The kept answer that is no longer fresh, to be revalidated. */
  old?: KeptAnswer | undefined;
  /**
   * Whether someone besides the client of this request waits for the answer: it is then made to its end although that
   * client leaves. Default: nobody.
   */
  isAwaited?: () => boolean;
}

/** What an answer is made with. */
export interface Maker {
  handler: Handler;
  store: CacheStore;
  /** The largest body that is kept, in bytes. */
  maxBodyBytes: number;
  known: NotedKeys;
  /** What kept answers are sent as. */
  Response: ResponseClass;
  /** Does something with the store. A failure is reported, and the result is undefined. */
  attempt<Result>(request: Request, work: () => Result | Promise<Result>): Promise<Result | undefined>;
}

/**
 * What the requests that wait for an answer get: the kept answer, or one that is still being streamed, or what to do
 * instead: `again` if the answer was invalidated meanwhile; `left` if the client it was made for has left, so that one
 * of them asks again; `alone` if the answer is not for all.
 */
export type Outcome = KeptAnswer | StreamedAnswer | 'again' | 'left' | 'alone';

/** An answer for all that is still being streamed. It ends to be shared with another outcome. */
export interface StreamedAnswer extends Pick<KeptAnswer, 'status' | 'statusText' | 'headers' | 'tags'> {
  /** As in `SharedBody`. */
  open(): ReadableStream<Uint8Array> | undefined;
}

/**
 * How long other requests wait for the rest of an answer whose first part has been sent, in milliseconds, before they
 * get it as a stream too. The rest of a page that is already complete arrives at once.
 */
const REST_MS = 50;

/**
 * For how long more requests get a stream from its beginning, in milliseconds. It may go on for hours, and another
 * instance may invalidate it without this one being told.
 */
const SHARED_MS = 1000;

/**
 * Has the handler make an answer, and keeps it if that is allowed.
 *
 * @param settle – called with the outcome for the requests that wait. After a {@link StreamedAnswer}, it is called once
 *   more; after any other outcome, no call counts.
 */
export async function makeAnswer(
  { key, request: asked, host, old, isAwaited = () => false }: Making,
  { handler, store, maxBodyBytes, known, Response, attempt }: Maker,
  settle: (outcome: Outcome) => void,
): Promise<Response> {
  const noted = known.get(key);
  const conditions = old && noted !== false ? toConditions(old) : [];
  const vary = conditions.length > 0 && old ? varyOf(new Headers(old.headers)) : noted;
  const isClean = vary && (conditions.length > 0 || isBetterClean(asked));
  const request = isClean ? toCleanRequest(asked, vary, conditions) : asked;
  const mark = await attempt(request, () => store.begin());
  const end = (outcome?: KeptAnswer | 'again'): void => {
    if (mark !== undefined) store.end(mark);
    settle(outcome ?? (hasLeft() ? 'left' : 'alone'));
  };
  const hasLeft = (): boolean => request === asked && asked.signal.aborted;
  // The cache reads a copy of the headers: the app's reads are noted from here on, and those of the cache must not be.
  const place = { key, headers: new Headers(request.headers) };
  const isUnsure = mayHideReads(request);
  let tags: readonly string[] | undefined;
  let hasFailed = false;
  const response = await handler(request, {
    __proto__: host,
    onKept: (given: readonly string[]) => void (tags = given),
    onFailure: () => void (hasFailed = true),
  } as HostContext);
  if (response.status === 304 && old && conditions.length > 0) {
    const kept = tags && freshen(old, response, tags);
    const isPut =
      kept && mark !== undefined && (await attempt(request, () => putAnswer(store, kept, { ...place, mark })));
    end(isPut === false ? 'again' : kept);
    // A client that asked without a condition gets the complete answer.
    return toResponse(kept ?? old, asked, Response);
  }
  const names = varyOf(response.headers);
  const isKept = tags !== undefined && request.method === 'GET' && response.status !== 304 && !names.includes('*');
  // The answer to a conditional request says nothing about answers to others. Neither does a failure that came from the
  // client leaving.
  const isTelling = response.status !== 304 && !(response.status >= 400 && hasLeft());
  if (isTelling) known.note(key, isKept && names);
  const lifetimes = isKept ? toLifetimes(response.headers, response.status) : undefined;
  if (!lifetimes || mark === undefined || (isUnsure && hasMore(request, names))) {
    end();
    if (request === asked || response.status >= 500) return response;
    // The answer was made without visitor data, but turns out to depend on the visitor.
    discard(response);
    return handler(asked, host);
  }

  const { status, statusText } = response;
  const forAll = { status, statusText, headers: toKeptHeaders(response.headers), tags: tags ?? [] };
  const keep = async (body: Uint8Array): Promise<void> => {
    // A page with a failed part looks complete.
    if (hasFailed) return end();
    const kept: KeptAnswer = {
      ...forAll,
      body,
      madeAtMs: Date.now() - 1000 * (Number(response.headers.get('age')) || 0),
      ...lifetimes,
    };
    const isPut = await attempt(request, () => putAnswer(store, kept, { ...place, mark }));
    // An answer that was invalidated meanwhile is only for the clients that asked before.
    end(isPut === false ? 'again' : kept);
  };
  const headers = new Headers(response.headers);
  headers.set('cache-status', 'appkit; fwd=miss');
  const head = { status, statusText, headers };
  if (!response.body) {
    await keep(new Uint8Array());
    return new globalThis.Response(null, head);
  }
  const reader = readerOf(response.body);
  const beginning = await peek(reader).catch((error: unknown): Beginning => ({ next: handled(Promise.reject(error)) }));
  if (beginning.whole) {
    if (beginning.whole.byteLength <= maxBodyBytes) await keep(beginning.whole);
    else end();
    return new globalThis.Response(beginning.whole as Uint8Array<ArrayBuffer>, head);
  }
  const { open, whole, stopUnread } = shareBody(reader, beginning, { maxBytes: maxBodyBytes, isAwaited });
  const endSharing = (): void => {
    settle('alone');
    // Those who waited when the last client left may not have wanted it.
    stopUnread();
  };
  const timers = [setTimeout(() => settle({ ...forAll, open }), REST_MS), setTimeout(endSharing, SHARED_MS)];
  const kept = whole.then((bytes) => {
    for (const timer of timers) clearTimeout(timer);
    return bytes ? keep(bytes) : end();
  });
  host.waitUntil?.(kept);
  return new globalThis.Response(open(), head);
}
