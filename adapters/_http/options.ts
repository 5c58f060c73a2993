import { codedError } from '../../runtime/host.ts';
import type { HandlerOptions, ServerBuild } from '../../runtime/host.ts';

/** Options of the adapters for hosts with their own socket: Node, Express, Bun, Deno. */
export interface ServerOptions extends HandlerOptions {
  /** The folder `dist/server` of the exported app, as a path or file URL, or what its `index.js` exports. */
  build: string | URL | ServerBuild;
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

/** The option of hosts where nothing in front compresses. */
export interface CompressOptions {
  /**
   * Whether to compress answers for clients that accept it: text, JSON and other media types whose format is not compressed, of at
   * least 1024 bytes or of unknown length; streams part by part. Answers with a `Content-Encoding` or `Cache-Control: no-transform` are
   * left alone. Default: `true`. Turn it off if a proxy in front compresses.
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
