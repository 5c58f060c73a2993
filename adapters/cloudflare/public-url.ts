import { toPublicOrigin } from '../_http/public-origin.ts';

/** The URL a request was sent to. Cloudflare's own is right, unless there is a proxy in front of Cloudflare. */
export function toPublicUrl(request: Request, proxies: number): string | undefined {
  if (proxies === 0) return request.url;
  const { protocol, host, pathname, search } = new URL(request.url);
  const header = (name: string): string | undefined =>
    name === 'host' ? host : (request.headers.get(name) ?? undefined);
  const origin = toPublicOrigin(header, protocol === 'https:' ? 'https' : 'http', { proxies });
  return origin && origin + pathname + search;
}
