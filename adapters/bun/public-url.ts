import { toPublicOrigin } from '../_http/public-origin.ts';
import type { BunServer } from './host-types.ts';

/**
 * The URL a request of `Bun.serve` was sent to, or `undefined` when its Host header or target is not valid.
 *
 * Bun 1.4 gives a bare path in `request.url` when the Host header is malformed, or missing, which it lets pass with HTTP/1.0
 * only; and the target as it came when that is neither a path nor of http.
 */
export function toPublicUrl(request: Request, proxies: number, server: BunServer | undefined): string | undefined {
  const header = (name: string): string | undefined => request.headers.get(name) ?? undefined;
  const given = request.url;
  const isBare = given.startsWith('/');
  if (isBare && header('host') !== undefined) return undefined;

  const url = isBare ? (server?.url.origin ?? 'http://localhost') + given : given;
  const scheme = url.startsWith('https://') ? 'https' : 'http';
  const start = scheme.length + '://'.length;
  if (!url.startsWith(`${scheme}://`)) return undefined;
  const local = isBare ? url.slice(start, url.indexOf('/', start)) : undefined;
  const origin = toPublicOrigin(header, scheme, { proxies, local });
  if (origin === undefined || proxies === 0) return origin && url;
  return origin + url.slice(url.indexOf('/', start));
}
