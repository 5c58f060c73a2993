import type { ToPublicUrl } from '../_fetch/fetch-handler.ts';
import { isNormalTarget } from '../_http/normal-target.ts';
import { createOriginFinder } from '../_http/public-origin.ts';
import type { OriginFinder } from '../_http/public-origin.ts';

/**
 * The URL a request of `Deno.serve` was sent to, or `undefined` when its Host header or target is not valid.
 *
 * Deno 2.9 puts `request.url` together from the Host header and the target as they came, neither normalised nor checked,
 * and takes a target in absolute form as a whole.
 */
export function createToPublicUrl(proxies: number): ToPublicUrl {
  const origins = createOriginFinder(proxies);
  return (request) => {
    const { url: given } = request;
    // The header is asked for each time, though Deno makes all of them for the first: a Host with a path in it, which a proxy may
    // let pass, would otherwise put that in front of the path that is matched.
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
  // Another host than the header's is that of an absolute form, and so is the scheme, which the connection may not have.
  const isOwn = host === undefined || host === authority;
  // Over HTTP/2 there is an authority in place of the header. Over HTTP/1 without one Deno gives its own address.
  const origin = origins.find(header, isOwn && scheme === 'https' ? 'https' : 'http', authority);
  if (origin === undefined) return undefined;

  const target = given.slice(start.length);
  return URL.parse(origin + (target.startsWith('/') ? target : `/${target}`))?.href;
}
