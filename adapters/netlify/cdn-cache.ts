import { toDirectives } from '../../runtime/host.ts';
import type { ToCacheHeaders } from '../../runtime/host.ts';

/** The headers that Netlify's CDN reads and does not pass on: https://docs.netlify.com/build/caching/caching-overview/ */
export const toCacheHeaders: ToCacheHeaders = (rule, tags) => ({
  'netlify-cdn-cache-control': `public, durable, ${toDirectives(rule)}`,
  'netlify-cache-tag': tags.join(','),
});

/**
 * Purges tags from Netlify's CDN, like `purgeCache` of @netlify/functions.
 *
 * @throws Error when Netlify refuses.
 */
export async function purge(tags: readonly string[]): Promise<void> {
  const { SITE_ID: site, NETLIFY_PURGE_API_TOKEN: token } = process.env;
  // Netlify passes both to each function. Without them, as in netlify dev, there is no CDN.
  if (!site || !token) return;
  const response = await fetch('https://api.netlify.com/api/v1/purge', {
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf8', authorization: `Bearer ${token}` },
    body: JSON.stringify({ site_id: site, cache_tags: tags }),
  });
  await response.body?.cancel();
  if (!response.ok) {
    throw new Error(
      `Netlify answered the purge of ${tags.join(', ')} with ${response.status}. Its cached answers may be out of date.`,
    );
  }
}
