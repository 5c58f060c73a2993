import type { ToPublicUrl } from '../_fetch/fetch-handler.ts';
import { createOriginFinder } from '../_http/public-origin.ts';

/**
 * The URL of a Request as its host gives it, normalised, or `undefined` when its Host header is malformed.
 *
 * In the Fetch standard, the URL is normalised and contains nothing of the Host but the authority. Some hosts
 * concatenate both as received: behind a proxy that checks paths, `Host: shop.example/admin` with the target `/` would
 * reach the route of `/admin/`.
 */
export function createToUrl(): ToPublicUrl {
  const origins = createOriginFinder(0);
  return ({ url, headers }) => {
    const host = headers.get('host') ?? undefined; // HTTP/2 has none
    const isKnown = host === undefined || origins.last(host) !== undefined;
    if (!isKnown && origins.find(() => host, 'http') === undefined) return undefined;
    return URL.parse(url)?.href;
  };
}
