import { codedError, isPromise, reportTo } from '../../runtime/host.ts';
import type { Handler, HandlerOptions, LoadableBuild } from '../../runtime/host.ts';
import type { CacheStore } from './store.ts';
import type { ResponseClass } from './to-response.ts';

/** The option of hosts without a cache in front. */
export interface CacheOptions {
  /**
   * This server's cache, for answers that the app allows to be kept with `cache()`; `false` turns it off, for when a
   * cache in front keeps them. An app that never calls `cache()` has none. Default: in memory, 64 MiB.
   */
  cache?: SharedCacheSettings | false | undefined;
}

/** Options of this server's cache. */
export interface SharedCacheSettings {
  /** Roughly how many bytes of this process's memory the cache may use. Default: 67108864 (64 MiB). */
  maxBytes?: number | undefined;
  /**
   * Where answers are kept. For several instances, use `redisStore()` of `appkit-server/cache/redis`. Each release of
   * an app has its own answers in it. Default: in memory.
   */
  store?: CacheStore | undefined;
}

const DEFAULT_MAX_BYTES = 64 * 1024 * 1024;

/**
 * Puts a cache in front of a handler, if the app allows answers to be kept. The first request loads the cache.
 *
 * @throws TypeError when the option `cache` is invalid.
 */
export function withSharedCache(
  handler: Handler,
  { manifest }: LoadableBuild,
  {
    cache = {},
    complete,
    onError,
    Response = globalThis.Response,
  }: CacheOptions &
    Pick<HandlerOptions, 'onError'> & {
      complete?: ((response: Response) => Response) | undefined;
      Response?: unknown;
    },
): Handler {
  const settings = toSettings(cache);
  if (!settings || (manifest.usesCache !== true && manifest.cache === undefined)) return handler;
  const { maxBytes = DEFAULT_MAX_BYTES, store } = settings;
  const report = reportTo(onError);
  let front: Handler | undefined;
  let loading: Promise<Handler> | undefined;
  const load = async (): Promise<Handler> => {
    const { createForecast, createMemoryStore, createSharedCache, tellOnce, toStoreOfRelease } =
      await import('./parts.ts');
    front = createSharedCache(complete ? completed(handler, complete) : handler, {
      store: store ? toStoreOfRelease(store, manifest.release) : createMemoryStore(maxBytes),
      base: manifest.base,
      maxBodyBytes: maxBytes / 4,
      forecast: createForecast(manifest),
      report,
      onStoreError: tellOnce(report),
      Response: Response as ResponseClass, // of the platform, or one like it
    });
    return front;
  };
  /** Without its files, as when a process has too many open, the app answers alone, and the next request tries again. */
  const loadOrReport = (request: Request): Promise<Handler> =>
    load().catch((error: unknown) => {
      loading = undefined;
      report(error, request);
      return handler;
    });
  return (request, host) => {
    if (front) return front(request, host);
    return (loading ??= loadOrReport(request)).then((loaded) => loaded(request, host));
  };
}

function completed(handler: Handler, complete: (response: Response) => Response): Handler {
  return (request, host) => {
    const answered = handler(request, host);
    return isPromise(answered) ? answered.then(complete) : complete(answered);
  };
}

function toSettings(cache: unknown): SharedCacheSettings | undefined {
  if (cache === false) return undefined;
  const { maxBytes = 0, store } = (cache ?? {}) as Partial<SharedCacheSettings>;
  if (typeof cache === 'object' && maxBytes >= 0 && (store === undefined || typeof store.begin === 'function')) {
    return cache as SharedCacheSettings;
  }
  throw codedError(
    'ERR_OPTION_INVALID',
    'The option cache is neither false nor an object of maxBytes, a number of bytes, and store, such as redisStore(client).',
  );
}
