import type { ToPublicUrl } from '../_fetch/fetch-handler.ts';
import { createOriginFinder } from '../_http/public-origin.ts';

/** The URL a request was sent to. Cloudflare's own is right, unless there is a proxy in front of Cloudflare. */
export function createToPublicUrl(proxies: number): ToPublicUrl {
  if (proxies === 0) return ({ url }) => url;
  const origins = createOriginFinder(proxies);
  return (request) => {
    const { protocol, host, pathname, search } = new URL(request.url);
    const header = (name: string): string | undefined =>
      name === 'host' ? host : (request.headers.get(name) ?? undefined);
    const origin = origins.find(header, protocol === 'https:' ? 'https' : 'http');
    return origin && origin + pathname + search;
  };
}
