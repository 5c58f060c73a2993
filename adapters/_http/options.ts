import { codedError } from '../../runtime/host.ts';
import type { HandlerOptions, ServerBuild } from '../../runtime/host.ts';

/** What the adapters of hosts with a socket of their own take: Node, Express, Bun, Deno. */
export interface ServerOptions extends HandlerOptions {
  /** The folder `dist/server` of the exported app, as a path or file URL, or what its `index.js` exports. */
  build: string | URL | ServerBuild;
  /**
   * How many reverse proxies stand in front of the server, each adding to `X-Forwarded-Proto` and `X-Forwarded-Host`;
   * `true` is one. `request.url` and `origin()` then follow those headers. Default: `false`, and they are ignored, since
   * any client can send them.
   */
  trustProxy?: boolean | number | undefined;
  /**
   * The largest request body in bytes. A larger one is answered 413, or, when its length is not told beforehand, fails
   * the reading of it with a StatusError of 413. Default: 134217728 (128 MiB), as Bun has it.
   */
  maxRequestBodySize?: number | undefined;
}

/** The option of hosts in front of which nothing compresses. */
export interface CompressOptions {
  /**
   * Whether answers are compressed for clients that take it: text, JSON and other media types that are not compressed by their own format, of at
   * least 1024 bytes or of unknown length, streams part by part. Not what has a `Content-Encoding` or `Cache-Control: no-transform`.
   * Default: `true`. Turn it off where a proxy in front does it.
   */
  compress?: boolean | undefined;
}

/** The options with their defaults. */
export interface ServerLimits {
  proxies: number;
  maxRequestBodySize: number;
}

/**
 * Reads the options that concern the socket.
 *
 * @throws TypeError when one has a value it cannot have.
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
