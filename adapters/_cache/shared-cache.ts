import { isDecodable, isPromise, pathBelow, toPathTag } from '../../runtime/host.ts';
import type { Handler, HostContext } from '../../runtime/host.ts';
import { parseDirectives } from './directives.ts';
import { discard } from './discard.ts';
import type { Forecast } from './forecast.ts';
import { toCleanRequest } from './clean-request.ts';
import type { Kept, KeptAnswer } from './kept-answer.ts';
import { makeAnswer } from './make-answer.ts';
import type { Maker, Making } from './make-answer.ts';
import { NotedKeys } from './noted-keys.ts';
import type { CacheStore } from './store.ts';
import { toResponse } from './to-response.ts';
import type { ResponseClass } from './to-response.ts';
import { toVariantKey, varyOf } from './vary.ts';

/** The parts of a shared cache. */
export interface SharedCacheOptions {
  store: CacheStore;
  /** The largest body that is kept, in bytes. */
  maxBodyBytes: number;
  forecast: Forecast;
  /** Called with errors of the store. Requests are answered without it. */
  onStoreError: (error: unknown, request: Request) => void;
  /** What kept answers are sent as. */
  Response: ResponseClass;
}

/** An answer that is being made, for all requests that wait for it. */
interface Flight {
  /** Resolves with the kept answer and the request it was made for, or with undefined once it is known that none is kept. */
  done: Promise<{ kept: KeptAnswer; madeFor: Headers } | undefined>;
  /** Nothing was invalidated since it was begun, so new requests may wait for it. */
  isCurrent: boolean;
}

/** A cache in front of a handler, for answers that the app allows to be kept: RFC 9111. */
export function createSharedCache(
  handler: Handler,
  { store, maxBodyBytes, forecast, onStoreError, Response }: SharedCacheOptions,
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
    // The tags of these answers are not known before they are made.
    for (const flight of flights.values()) flight.isCurrent = false;
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

  /** Makes an answer, which all requests that arrive meanwhile share. */
  const begin = (making: Making): Promise<Response> => {
    const { key } = making;
    // Once the app has it, looking at one of its headers is noted.
    const madeFor = new Headers(making.request.headers);
    let settle: (made: Awaited<Flight['done']>) => void = () => undefined;
    const done: Flight['done'] = new Promise((resolve) => (settle = resolve));
    const flight: Flight = { done, isCurrent: true };
    flights.set(key, flight);
    return makeAlone(making, (kept) => {
      if (flights.get(key) === flight) flights.delete(key);
      settle(kept && { kept, madeFor });
    });
  };

  /** Makes an answer that no other instance makes meanwhile, if there are several. */
  const makeAlone = async (making: Making, settle: (kept?: KeptAnswer) => void): Promise<Response> => {
    const { key, request } = making;
    if (!store.lock) return makeAnswer(making, maker, settle);
    const unlock = await attempt(request, () => store.lock?.(key));
    if (unlock === false) await attempt(request, () => store.waitFor?.(key));
    // Between the first look and the lock, another may have made it.
    const kept = unlock === undefined ? undefined : await find(key, request);
    const end = (made?: KeptAnswer): void => {
      if (unlock) void attempt(request, unlock);
      settle(made);
    };
    if (!kept || secondsOver(kept) >= 0) return makeAnswer(making, maker, end);
    end(kept);
    return toResponse(kept, request, Response);
  };

  const refresh = (making: Making, old: KeptAnswer): void => {
    if (flights.has(making.key)) return;
    const request = toCleanRequest(making.request, varyOf(new Headers(old.headers)));
    const made = begin({ ...making, request, old }).then(discard);
    making.host.waitUntil?.(made);
  };

  const makeForAll = async (making: Making): Promise<Response> => {
    const { key, request } = making;
    for (let tries = 0; ; tries++) {
      const flight = flights.get(key);
      if (!flight?.isCurrent) return begin(making);
      const made = await flight.done;
      // It was invalidated meanwhile: one of the waiting requests makes the next.
      if (!made && known.get(key) && tries < 2) continue;
      // It is for nobody else, or has failed: the app answers each request separately.
      if (!made) return makeAnswer(making, maker, () => undefined);
      const vary = varyOf(new Headers(made.kept.headers));
      if (toVariantKey(key, vary, made.madeFor) === toVariantKey(key, vary, request.headers)) {
        return toResponse(made.kept, request, Response);
      }
    }
  };

  const make = async (making: Making, isShared: boolean): Promise<Response> => {
    const { old } = making;
    const response = await (isShared ? makeForAll(making) : makeAnswer(making, maker, () => undefined));
    if (!old || response.status < 500 || secondsOver(old) >= old.staleIfError) return response;
    discard(response);
    return toResponse(old, making.request, Response);
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
    if (making.request.method === 'HEAD') return handler(making.request, making.host);
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
      url.origin === origin ? (pathBelow(host.basePath ?? '', url.pathname) ?? []) : [],
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
    const forecasted = forecast(request, host.basePath);
    if (forecasted === 'never' || isForHimself(request)) return handler(request, host);
    const found = find(making.key, request);
    const isLikely = forecasted === 'likely';
    return isPromise(found)
      ? found.then((kept) => answerFrom(kept, making, isLikely))
      : answerFrom(found, making, isLikely);
  };
}

/** How many seconds an answer is past its time; negative while it is fresh. */
function secondsOver({ madeAtMs, fresh }: KeptAnswer): number {
  return (Date.now() - madeAtMs) / 1000 - fresh;
}

// A client that sends credentials in it gets no answer of others: RFC 9111 section 3.5.
function isForHimself({ headers }: Request): boolean {
  return headers.has('authorization') || parseDirectives(headers.get('cache-control')).has('no-store');
}
