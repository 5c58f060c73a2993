import { currentContext } from './request/context.ts';
import { toCacheRule, toInvalidated } from './http/cache-rule.ts';
import type { CacheRule } from './http/cache-rule.ts';

// A separate module: by it, an export recognizes routes whose answers may be kept.

/**
 * Sets how shared caches may keep the answer to the request: the cache of this server on Node, Express, Bun and Deno,
 * the host's own on Vercel, Netlify and Cloudflare, and any that reads `Cache-Control` or `CDN-Cache-Control`. Browsers
 * revalidate each time.
 *
 * If it is called several times, the shortest times count, and the tags and `vary` of all calls; `false` wins over all of them. Nobody keeps an
 * answer with a status of 400 or more, a part, an answer that sets a cookie, or one whose own `Cache-Control` is `private`, `no-cache` or
 * `no-store`; nor an answer for which a request header was read that is not in `vary`, above all `Cookie` and `Authorization`.
 *
 * @param rule – the times, in seconds, and the tags; `false` so that no cache keeps the answer.
 * @throws Error outside a request and once the response has been sent; TypeError for an invalid rule.
 * @see RFC 9111, RFC 9213, RFC 5861
 */
export function cache(rule: CacheRule | false): void {
  // An export searches for this text to find out whether the app's answers may be kept.
  currentContext('cache() of appkit-server').cache(rule === false ? rule : toCacheRule(rule));
}

/**
 * Makes shared caches forget the answers that {@link cache} has given a tag, or all answers of a path, whatever their query. An answer that is
 * being made meanwhile is not kept.
 *
 * It reaches the cache of this server and the cache of Vercel, Netlify or Cloudflare if there is one. It does not reach browsers and other
 * caches.
 *
 * @param what – a tag such as `posts`, a path such as `/posts/1`, or a list of them.
 * @returns a promise that resolves once this server no longer sends them. It rejects when the call to the host fails.
 * @throws Error outside a request.
 */
export async function invalidate(what: string | readonly string[]): Promise<void> {
  await currentContext('invalidate()').invalidate([what].flat().map(toInvalidated));
}
