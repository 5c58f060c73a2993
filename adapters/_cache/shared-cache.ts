import { isDecodable, isPromise, pathBelow, pathnameOf, toPathTag } from '../../runtime/host.ts';
import type { ErrorReporter, Handler, HostContext } from '../../runtime/host.ts';
import { parseDirectives } from './directives.ts';
import { discard } from './discard.ts';
import type { Forecast } from './forecast.ts';
import { toCleanRequest } from './clean-request.ts';
import type { Kept, KeptAnswer } from './kept-answer.ts';
import { makeAnswer } from './make-answer.ts';
import type { Maker, Making, Outcome } from './make-answer.ts';
import { NotedKeys } from './noted-keys.ts';
import type { CacheStore } from './store.ts';
import { outlive } from './outlive.ts';
import { toResponse, toStreamedResponse } from './to-response.ts';
import type { ResponseClass } from './to-response.ts';
import { toVariantKey, varyOf } from './vary.ts';

export interface SharedCacheOptions {
  store: CacheStore;
  /** The base of the build, for hosts that do not say where they have mounted the app. Default: none. */
  base?: string | undefined;
  /** The largest body that is kept, in bytes. */
  maxBodyBytes: number;
  forecast: Forecast;
  /** Called with the errors of listeners of the app for clients that leave. */
  report: ErrorReporter;
  /** Called with the store's errors. The request is then answered without the store. */
  onStoreError: (error: unknown, request: Request) => void;
  /** What kept answers are sent as. */
  Response: ResponseClass;
}

/** How long requests wait for an answer that another one makes: what that waits for may never come. */
const PATIENCE_MS = 10_000;

/** An answer that is being made, shared by all requests that wait for it. */
interface Flight {
  done: Promise<Outcome>;
  /** When it was begun, as `Date.now()`. */
  begunAt: number;
  /** The headers of the request that it is made for. */
  madeFor: Headers;
  /** Nothing that the answer may depend on has been invalidated since it was begun, so new requests may wait for it. */
  isCurrent: boolean;
  /** Other requests wait for it: it goes on when the client that it was begun for leaves. */
  isShared: boolean;
  /** How many other requests wait for it and have no body of it yet. */
  waiting: number;
  /** Its path, as a tag. */
  path: string;
  /** The tags of its previous answer, if known. */
  tags: readonly string[] | undefined;
  /** The tags that have been invalidated since it was begun and that its previous answer did not have. */
  invalidated: Set<string>;
}

/** A cache in front of a handler, for answers that the app allows to be kept: RFC 9111. */
export function createSharedCache(
  handler: Handler,
  { store, base = '', maxBodyBytes, forecast, report, onStoreError, Response }: SharedCacheOptions,
): Handler {
  const flights = new Map<string, Flight>();
  const known = new NotedKeys();
  const attempt: Maker['attempt'] = async (request, work) => {
    try {
      return await work();
    } catch (error) {
      onStoreError(error, request);
      return undefined;
    }
  };
  const maker: Maker = { handler, store, maxBodyBytes, known, Response, attempt };

  const invalidate = async (tags: readonly string[]): Promise<void> => {
    for (const flight of flights.values()) for (const tag of tags) noteInvalidated(flight, tag);
    await store.invalidate(tags);
  };

  const find = (key: string, request: Request): KeptAnswer | undefined | Promise<KeptAnswer | undefined> => {
    const ofVariant = (kept: Kept | undefined): Kept | undefined | Promise<Kept | undefined> =>
      kept && 'vary' in kept ? store.get(toVariantKey(key, kept.vary, request.headers)) : kept;
    const asAnswer = (kept: Kept | undefined): KeptAnswer | undefined => (kept && 'body' in kept ? kept : undefined);
    const found = store.get(key);
    if (isPromise(found)) return attempt(request, async () => asAnswer(await ofVariant(await found)));
    const variant = ofVariant(found);
    return isPromise(variant) ? variant.then(asAnswer) : asAnswer(variant);
  };

  /** Makes an answer, and shares it with all requests that arrive meanwhile. */
  const begin = (making: Making): Promise<Response> => {
    const { key } = making;
    let settle: (outcome: Outcome) => void = () => undefined;
    const done: Flight['done'] = new Promise((resolve) => (settle = resolve));
    const flight: Flight = {
      done,
      begunAt: Date.now(),
      // A copy: once the app has the headers of the request, every look at one of them counts as a read by the app.
      madeFor: new Headers(making.request.headers),
      isCurrent: true,
      isShared: false,
      waiting: 0,
      path: toPathTag(pathBelow(making.host.basePath || base, pathnameOf(making.request.url)) ?? '/'),
      tags: making.old?.tags,
      invalidated: new Set(),
    };
    flights.set(key, flight);
    outlive(making.request, () => flight.isShared, report);
    const isAwaited = making.isAwaited ?? (() => flight.waiting > 0);
    return makeAlone({ ...making, isAwaited }, (outcome) => {
      const isStreamed = typeof outcome === 'object' && 'open' in outcome;
      if (!isStreamed) forget(key, flight);
      settle(outcome);
    });
  };

  /** The next request begins another flight. */
  const forget = (key: string, flight: Flight): void => {
    if (flights.get(key) === flight) flights.delete(key);
  };

  /** Makes an answer; if there are several instances, no other one makes it meanwhile. */
  const makeAlone = async (making: Making, settle: (outcome: Outcome) => void): Promise<Response> => {
    const { key, request } = making;
    if (!store.lock) return makeAnswer(making, maker, settle);
    const unlock = await attempt(request, () => store.lock?.(key));
    if (unlock === false) await attempt(request, () => store.waitFor?.(key));
    // Another instance may have made it between the first look and the lock.
    const kept = unlock === undefined ? undefined : await find(key, request);
    let isLocked = unlock !== undefined && unlock !== false;
    const end = (outcome: Outcome): void => {
      if (isLocked && unlock) void attempt(request, unlock);
      isLocked = false;
      settle(outcome);
    };
    if (!kept || secondsOver(kept) >= 0) return makeAnswer(making, maker, end);
    end(kept);
    return toResponse(kept, request, Response);
  };

  const refresh = (making: Making, old: KeptAnswer): void => {
    const flight = flights.get(making.key);
    if (flight && patienceWith(flight) > 0) return;
    const request = toCleanRequest(making.request, varyOf(new Headers(old.headers)));
    // The cache itself waits for it.
    const made = begin({ ...making, request, old, isAwaited: () => true }).then(discard);
    making.host.waitUntil?.(made);
  };

  const makeForAll = async (making: Making): Promise<Response> => {
    const { key, request } = making;
    for (let tries = 0; ; tries++) {
      const flight = flights.get(key);
      if (!flight?.isCurrent) return begin(making);
      flight.isShared = true;
      const invalidated = [...flight.invalidated];
      flight.waiting++;
      const outcome = await waitFor(flight);
      // Without a pause from here to the opening of its body: the body is cancelled when it has no client.
      flight.waiting--;
      // One of the requests that waited makes the next answer.
      if (outcome === 'left' || (outcome === 'again' && tries < 2)) continue;
      if (outcome === 'late') {
        forget(key, flight);
        // Another request that has waited as long may have made it by now.
        const kept = await find(key, request);
        if (kept && secondsOver(kept) < 0) return toResponse(kept, request, Response);
        continue;
      }
      if (typeof outcome === 'string') return makeAnswer(making, maker, () => undefined);
      const vary = varyOf(new Headers(outcome.headers));
      // The answer has a tag that was invalidated before this request arrived, or is for other headers.
      const isOutdated = outcome.tags.some((tag) => invalidated.includes(tag));
      if (isOutdated || toVariantKey(key, vary, flight.madeFor) !== toVariantKey(key, vary, request.headers)) {
        forget(key, flight);
        continue;
      }
      if (!('open' in outcome)) return toResponse(outcome, request, Response);
      const body = outcome.open();
      return body ? toStreamedResponse(outcome, body) : makeAnswer(making, maker, () => undefined);
    }
  };

  const make = async (making: Making, isShared: boolean): Promise<Response> => {
    const { old, request, host } = making;
    const response = await (request.method === 'HEAD'
      ? handler(request, host)
      : isShared
        ? makeForAll(making)
        : makeAnswer(making, maker, () => undefined));
    if (!old || response.status < 500 || secondsOver(old) >= old.staleIfError) return response;
    discard(response);
    return toResponse(old, request, Response);
  };

  const answerFrom = (
    kept: KeptAnswer | undefined,
    making: Making,
    isLikely: boolean,
  ): Response | Promise<Response> => {
    if (kept) {
      const over = secondsOver(kept);
      if (over >= 0 && over < kept.staleWhileRevalidate) refresh(making, kept);
      if (over < Math.max(0, kept.staleWhileRevalidate)) return toResponse(kept, making.request, Response);
    }
    if (!kept && making.request.method === 'HEAD') return handler(making.request, making.host);
    const noted = known.get(making.key);
    return make({ ...making, old: kept }, noted ? true : noted === undefined && isLikely);
  };

  // RFC 9111 section 4.4: a write invalidates the old answer.
  const forgetWritten = async (response: Response, { request, host }: Making): Promise<Response> => {
    if (response.status >= 400) return response;
    const { origin } = new URL(request.url);
    const named = ['location', 'content-location'].flatMap((name) => response.headers.get(name) ?? []);
    const urls = [request.url, ...named].flatMap((url) =>
      URL.canParse(url, request.url) ? new URL(url, request.url) : [],
    );
    const paths = urls.flatMap((url) =>
      url.origin === origin ? (pathBelow(host.basePath || base, url.pathname) ?? []) : [],
    );
    const tags = paths.filter(isDecodable).map(toPathTag);
    await attempt(request, () => invalidate(tags));
    return response;
  };

  return (request, outer = {}) => {
    const purge = async (tags: readonly string[]): Promise<void> => {
      await invalidate(tags);
      await outer.purge?.(tags);
    };
    const host = { __proto__: outer, purge } as HostContext;
    const making: Making = { key: request.url, request, host };
    const { method } = request;
    if (method !== 'GET' && method !== 'HEAD') {
      if (method === 'OPTIONS' || method === 'TRACE') return handler(request, host);
      const answered = handler(request, host);
      return isPromise(answered)
        ? answered.then((response) => forgetWritten(response, making))
        : forgetWritten(answered, making);
    }
    const forecasted = forecast(request, host.basePath || base);
    if (forecasted === 'never' || isForHimself(request)) return handler(request, host);
    const found = find(making.key, request);
    const isLikely = forecasted === 'likely';
    return isPromise(found)
      ? found.then((kept) => answerFrom(kept, making, isLikely))
      : answerFrom(found, making, isLikely);
  };
}

// The tags of an answer are not known before it is made. So the tags of the previous answer count, if it exists, and
// the new ones are checked once the answer is made.
function noteInvalidated(flight: Flight, tag: string): void {
  const isOfIt = tag.startsWith('/') ? tag === flight.path : (flight.tags?.includes(tag) ?? true);
  if (isOfIt) flight.isCurrent = false;
  else if (!tag.startsWith('/')) flight.invalidated.add(tag);
}

/**
 * How many seconds ago an answer stopped being fresh; negative while it is fresh. After the clock of the machine has been set
 * back, it would stay fresh until that time comes again.
 */
function secondsOver({ madeAtMs, fresh }: KeptAnswer): number {
  return Math.abs(Date.now() - madeAtMs) / 1000 - fresh;
}

// A client that sends credentials in this header gets no shared answer: RFC 9111 section 3.5.
function isForHimself({ headers }: Request): boolean {
  return headers.has('authorization') || parseDirectives(headers.get('cache-control')).has('no-store');
}

/** How many milliseconds longer a flight is waited for. */
function patienceWith({ begunAt }: Flight): number {
  return begunAt + PATIENCE_MS - Date.now();
}

async function waitFor(flight: Flight): Promise<Outcome | 'late'> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<'late'>((resolve) => (timer = setTimeout(resolve, patienceWith(flight), 'late')));
  try {
    return await Promise.race([flight.done, late]);
  } finally {
    clearTimeout(timer);
  }
}
