import type { ToPublicUrl } from '../_fetch/fetch-handler.ts';
import { createOriginFinder } from '../_http/public-origin.ts';
import type { BunServer } from './host-types.ts';

/**
 * The URL a request of `Bun.serve` was sent to, or `undefined` when its Host header or target is not valid.
 *
 * Bun 1.4 builds `request.url` from the first Host line. It is a bare path if that is malformed, or missing, which Bun allows only in HTTP/1.0.
 * It is the target as received if that is neither a path nor an http URL.
 */
export function createToPublicUrl(proxies: number): ToPublicUrl<BunServer> {
  const origins = createOriginFinder(proxies);
  return (request, server) => {
    const given = request.url;
    // Do not read a header: Bun then creates all of them, which takes as long as the rest of a small request.
    const known = origins.last(undefined);
    if (known !== undefined && given.startsWith(known) && given[known.length] === '/') return given;

    const header = (name: string): string | undefined => request.headers.get(name) ?? undefined;
    const isBare = given.startsWith('/');
    if (isBare && header('host') !== undefined) return undefined;
    const url = isBare ? (server?.url.origin ?? 'http://localhost') + given : given;
    const [start = '', scheme, authority] = /^(https?):\/\/([^/?#]*)/.exec(url) ?? [];
    if (scheme !== 'http' && scheme !== 'https') return undefined;
    const local = isBare || proxies === 0 ? authority : undefined;
    const origin = origins.find(proxies === 0 ? noHeader : header, scheme, local);
    if (origin === undefined) return undefined;
    return proxies === 0 ? url : origin + url.slice(start.length);
  };
}

function noHeader(): undefined {
  return undefined;
}
