import type { ToPublicUrl } from '../_fetch/fetch-handler.ts';
import { isNormalTarget } from '../_http/normal-target.ts';
import { createOriginFinder } from '../_http/public-origin.ts';
import type { OriginFinder } from '../_http/public-origin.ts';

/**
 * The URL a request of `Deno.serve` was sent to, or `undefined` when its Host header or target is not valid.
 *
 * Deno 2.9 builds `request.url` from the Host header and the target as received, neither normalised nor checked; a
 * target in absolute form becomes the URL unchanged.
 */
export function createToPublicUrl(proxies: number): ToPublicUrl {
  const origins = createOriginFinder(proxies);
  return (request) => {
    const { url: given } = request;
    // Read the header each time, although Deno then creates all of them. Deno puts the Host in front of the target
    // unchecked, and exposes the target nowhere else: behind a proxy that checks paths, `Host: shop.example/admin` with
    // the target `/` would reach the route of `/admin/`.
    const host = request.headers.get('host') ?? undefined;
    const known = origins.last(host);
    if (known !== undefined && given.startsWith(known) && isNormalTarget(given.slice(known.length))) return given;
    return findUrl(request, origins, host);
  };
}

function findUrl(request: Request, origins: OriginFinder, host: string | undefined): string | undefined {
  const { url: given, headers } = request;
  const [start = '', scheme, authority = ''] = /^(https?):\/\/([^/?#]*)/.exec(given) ?? [];
  if (scheme === undefined) return undefined;
  const header = (name: string): string | undefined => headers.get(name) ?? undefined;
  // A host other than the header's comes from an absolute form, and so does the scheme, which may differ from the
  // connection's.
  const isOwn = host === undefined || host === authority;
  // HTTP/2 has an authority instead of the header. For HTTP/1 without the header, Deno fills in its own address.
  const origin = origins.find(header, isOwn && scheme === 'https' ? 'https' : 'http', authority);
  if (origin === undefined) return undefined;

  const target = given.slice(start.length);
  return URL.parse(origin + (target.startsWith('/') ? target : `/${target}`))?.href;
}
