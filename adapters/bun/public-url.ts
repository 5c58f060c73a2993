import { toPublicOrigin } from '../_http/public-origin.ts';
import type { BunServer } from './host-types.ts';

// Nearly all requests to a server are for one origin, and to check it takes longer than all the rest of this.
let knownStart: string | undefined;

/**
 * The URL a request of `Bun.serve` was sent to, or `undefined` when its Host header or target is not valid.
 *
 * Bun 1.4 makes `request.url` of the first Host line. It gives a bare path when that is malformed, or missing, which it lets pass
 * with HTTP/1.0 only; and the target as it came when that is neither a path nor of http.
 */
export function toPublicUrl(request: Request, proxies: number, server: BunServer | undefined): string | undefined {
  const given = request.url;
  // No header is read: Bun makes all of them for the first, which takes as long as the rest of a small request.
  if (proxies === 0 && knownStart !== undefined && given.startsWith(knownStart)) return given;

  const header = (name: string): string | undefined => request.headers.get(name) ?? undefined;
  const isBare = given.startsWith('/');
  if (isBare && header('host') !== undefined) return undefined;

  const url = isBare ? (server?.url.origin ?? 'http://localhost') + given : given;
  const [start = '', scheme, authority] = /^(https?):\/\/([^/?#]*)/.exec(url) ?? [];
  if (scheme !== 'http' && scheme !== 'https') return undefined;
  const local = isBare || proxies === 0 ? authority : undefined;
  const ask = proxies === 0 ? (): undefined => undefined : header;
  const origin = toPublicOrigin(ask, scheme, { proxies, local });
  if (origin === undefined) return undefined;
  if (proxies > 0) return origin + url.slice(start.length);
  if (!isBare) knownStart = `${start}/`;
  return url;
}
