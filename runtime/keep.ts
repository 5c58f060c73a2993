import { currentContext } from './request/context.ts';
import { toCacheRule, toInvalidated } from './http/cache-rule.ts';
import type { CacheRule } from './http/cache-rule.ts';

// A module of its own: an export tells by it which routes ask for their answers to be kept.

/**
 * Says how the answer to the request may be kept by shared caches: the one in this server on Node, Express, Bun and Deno, the host's
 * own on Vercel, Netlify and Cloudflare, and any that reads `Cache-Control` or `CDN-Cache-Control`. Browsers ask again each time.
 *
 * Of several calls the shortest times count, and the tags and `vary` of all; `false` wins over all of them. An answer of a status from 400
 * on, a part, one that sets a cookie, and one whose own `Cache-Control` is `private`, `no-cache` or `no-store`, is kept by nobody. So
 * is one for which a request header was read that is not in `vary`, `Cookie` and `Authorization` in front.
 *
 * @param rule – the times, in seconds, and the tags; `false` to have the answer kept by nobody.
 * @throws Error outside a request and once the response has been sent; TypeError for a rule that cannot be.
 * @see RFC 9111, RFC 9213, RFC 5861
 */
export function cache(rule: CacheRule | false): void {
  // An export looks for this text, to learn whether anything of the app asks for answers to be kept.
  currentContext('cache() of appkit-server').cache(rule === false ? rule : toCacheRule(rule));
}

/**
 * Has shared caches forget the answers that {@link cache} has given a tag, or all of a path, whatever their query. An answer that is being made
 * meanwhile is not kept.
 *
 * It reaches the cache of this server and, where they have one, that of Vercel, Netlify and Cloudflare. Browsers and other
 * caches are not reached.
 *
 * @param what – a tag such as `posts`, a path such as `/posts/1`, or a list of them.
 * @returns a promise that resolves once this server does not give them any more. It rejects when the host could not be told.
 * @throws Error outside a request.
 */
export async function invalidate(what: string | readonly string[]): Promise<void> {
  await currentContext('invalidate()').invalidate([what].flat().map(toInvalidated));
}
