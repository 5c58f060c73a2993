import { isNormalTarget } from '../_http/normal-target.ts';
import { toPublicOrigin } from '../_http/public-origin.ts';

// Nearly all requests to a server are for one origin, and to take a URL apart takes longer than all the rest of this. The header is
// asked for all the same, though Deno makes all of them for the first: a Host with a path in it, which a proxy may let pass, would
// else put that in front of the path that is matched.
let known: { host: string | null; start: string } | undefined;

/**
 * The URL a request of `Deno.serve` was sent to, or `undefined` when its Host header or target is not valid.
 *
 * Deno 2.9 puts `request.url` together from the Host header and the target as they came, neither normalised nor checked,
 * and takes a target in absolute form as a whole.
 */
export function toPublicUrl(request: Request, proxies: number): string | undefined {
  const { url: given } = request;
  const host = request.headers.get('host');
  if (
    known !== undefined &&
    proxies === 0 &&
    host === known.host &&
    given.startsWith(known.start) &&
    isNormalTarget(given.slice(known.start.length - 1))
  ) {
    return given;
  }

  const [start = '', scheme, authority = ''] = /^(https?):\/\/([^/?#]*)/.exec(given) ?? [];
  if (scheme === undefined) return undefined;
  // Over HTTP/2 there is an authority in place of the header. Over HTTP/1 without one Deno gives its own address.
  const asked = host ?? authority;
  const header = (name: string): string | undefined =>
    name === 'host' ? asked : (request.headers.get(name) ?? undefined);
  // Another host than the header's is that of an absolute form, and so is the scheme, which the connection may not have.
  const origin = toPublicOrigin(header, asked === authority && scheme === 'https' ? 'https' : 'http', { proxies });
  if (origin === undefined) return undefined;

  const target = given.slice(start.length);
  const url = URL.parse(origin + (target.startsWith('/') ? target : `/${target}`));
  if (proxies === 0 && origin === start && url?.origin === origin) known = { host, start: `${origin}/` };
  return url?.href;
}
