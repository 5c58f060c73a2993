import { isNormalTarget } from '../_http/normal-target.ts';
import { toPublicOrigin } from '../_http/public-origin.ts';

// One that the URL parser leaves as it is. Nearly all requests to a server are for one.
let knownOrigin: string | undefined;

/**
 * The URL a request of `Deno.serve` was sent to, or `undefined` when its Host header or target is not valid.
 *
 * Deno 2.9 puts `request.url` together from the Host header and the target as they came, neither normalised nor checked,
 * and takes a target in absolute form as a whole.
 */
export function toPublicUrl(request: Request, proxies: number): string | undefined {
  const [start = '', scheme, authority = ''] = /^(https?):\/\/([^/?#]*)/.exec(request.url) ?? [];
  if (scheme === undefined) return undefined;

  // Over HTTP/2 there is an authority in place of the header. Over HTTP/1 without one Deno gives its own address.
  const host = request.headers.get('host') ?? authority;
  const header = (name: string): string | undefined =>
    name === 'host' ? host : (request.headers.get(name) ?? undefined);
  // Another host than the header's is that of an absolute form, and so is the scheme, which the connection may not have.
  const origin = toPublicOrigin(header, host === authority && scheme === 'https' ? 'https' : 'http', { proxies });
  if (origin === undefined) return undefined;

  const target = request.url.slice(start.length);
  if (origin === start && origin === knownOrigin && isNormalTarget(target)) return request.url;
  const url = URL.parse(origin + (target.startsWith('/') ? target : `/${target}`));
  if (url?.origin === origin) knownOrigin = origin;
  return url?.href;
}
