import { codedError } from '../../runtime/host.ts';
import type { FetchApp, FetchFunction, HandlerOptions, JobEngine, ServerBuild } from '../../runtime/host.ts';

/** Options of the adapters for hosts with their own socket: Node, Express, Bun, Deno. */
export interface ServerOptions extends HandlerOptions {
  /**
   * The folder `dist/server` of the exported app, as a path or file URL, or what its `index.js` exports. Also a file or
   * a module that exports a function `fetch`, by name or in its default export, as the builds of other frameworks do.
   */
  build: string | URL | ServerBuild | FetchApp;
  /**
   * How many reverse proxies are in front of the server, each adding to `X-Forwarded-Proto` and `X-Forwarded-Host`;
   * `true` is one. `request.url` and `origin()` then follow those headers. Default: `false`: they are ignored, since
   * any client can send them.
   */
  trustProxy?: boolean | number | undefined;
  /**
   * The largest request body in bytes. A larger one is answered with 413. If its length is not known beforehand,
   * reading it fails with a StatusError of 413. Default: 134217728 (128 MiB), as in Bun.
   */
  maxRequestBodySize?: number | undefined;
}

/** The option that replaces `build`. */
export interface FetchOption {
  /** Answers every request. Called with the request and a `FetchContext` of `appkit-server`. */
  fetch: FetchFunction;
  /**
   * Whether the function may call `cache()`. Header reads are then noted, which costs some time per request. Default:
   * `false`: answers for which it calls `cache()` are not kept.
   */
  usesCache?: boolean | undefined;
  build?: undefined;
}

/** The options of an adapter, with either a `build` or a function `fetch`. */
export type OrFetch<Options extends { build: unknown }> =
  | (Options & { fetch?: undefined })
  | (Omit<Options, 'build'> & FetchOption);

/** The option of hosts with no compression in front. */
export interface CompressOptions {
  /**
   * Whether to compress answers for clients that accept it: text, JSON and other media types whose format is not
   * compressed, of at least 1024 bytes or of unknown length; streams part by part. Answers with a `Content-Encoding` or
   * `Cache-Control: no-transform` are left alone. Default: `true`. Turn it off if a proxy in front compresses.
   */
  compress?: boolean | undefined;
}

/** The option of hosts that have an engine for jobs. */
export interface JobOptions {
  /**
   * Stores the app's jobs: `createSqliteJobs()` of `appkit-server/jobs/sqlite`, or `createPostgresJobs()` of
   * `appkit-server/jobs/postgres`, which also run them; on AWS Lambda `createSqsJobs()` of `appkit-server/jobs/aws`, on
   * Vercel `createVercelJobs()` of `appkit-server/jobs/vercel`. Default: nothing does, and `enqueue()` rejects.
   */
  jobs?: JobEngine | undefined;
}

/** The same for hosts that only store jobs. */
export interface StoredJobOptions {
  /**
   * Stores the app's jobs: `createPostgresJobs({ work: false })` of `appkit-server/jobs/postgres`. The jobs run
   * wherever `appkit work` runs. An engine that would run them here is refused. Default: nothing stores them, and
   * `enqueue()` rejects.
   */
  jobs?: JobEngine | undefined;
}

/** The options with their defaults. */
export interface ServerLimits {
  proxies: number;
  maxRequestBodySize: number;
}

/**
 * Returns the option that says what is hosted, as a value for `loadBuild` or `toServerBuild`. With `fetch`, returns the
 * options themselves: `fetch` may be a method, which needs its object.
 *
 * @throws TypeError when neither or both are given.
 */
export function toSource(options: { build?: unknown; fetch?: unknown }): unknown {
  const { build, fetch } = options;
  if ((build === undefined) !== (fetch === undefined)) return fetch === undefined ? build : options;
  throw codedError(
    'ERR_OPTION_INVALID',
    'Give createRequestHandler either the option build, such as the folder dist/server, or the option fetch, a function that answers a Request.',
  );
}

/**
 * Reads the options that concern the socket.
 *
 * @throws TypeError when one has an invalid value.
 */
export function toServerLimits(options: Pick<ServerOptions, 'trustProxy' | 'maxRequestBodySize'>): ServerLimits {
  const { trustProxy = false, maxRequestBodySize = 128 * 1024 * 1024 } = options;
  const proxies = Number(trustProxy);
  if (!Number.isInteger(proxies) || proxies < 0) {
    throw codedError(
      'ERR_OPTION_INVALID',
      `The option trustProxy is ${String(trustProxy)}. Give true, false or the number of proxies.`,
    );
  }
  if (Number.isNaN(maxRequestBodySize) || maxRequestBodySize < 0) {
    throw codedError(
      'ERR_OPTION_INVALID',
      `The option maxRequestBodySize is ${String(maxRequestBodySize)}. Give a number of bytes, or Infinity for no limit.`,
    );
  }
  return { proxies, maxRequestBodySize };
}
