import { toDirectives } from '../../runtime/host.ts';
import type { ToCacheHeaders } from '../../runtime/host.ts';
import type { CloudflareContext } from './host-types.ts';

/**
 * The headers that Cloudflare's cache reads and does not pass on. With s-maxage in its header, it would not refresh in the background:
 * https://developers.cloudflare.com/workers/cache/
 */
export const toCacheHeaders: ToCacheHeaders = (rule, tags) => ({
  'cloudflare-cdn-cache-control': `public, ${toDirectives(rule)}`,
  'cache-tag': tags.join(','),
});

/**
 * Purges tags from the Worker's cache. If no cache is enabled, nothing is kept.
 *
 * @throws Error when Cloudflare refuses.
 */
export async function purge(context: CloudflareContext, tags: readonly string[]): Promise<void> {
  const result = await context.cache?.purge({ tags: [...tags] });
  if (result?.success === false) {
    throw new Error(
      `Cloudflare did not purge ${tags.join(', ')}: ${JSON.stringify(result.errors)}. Its cached answers may be out of date.`,
    );
  }
}
