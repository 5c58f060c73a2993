import { toDirectives } from '../../runtime/host.ts';
import type { ToCacheHeaders } from '../../runtime/host.ts';
import type { CloudflareContext } from './host-types.ts';

/**
 * What the cache of Cloudflare reads and does not send on. With s-maxage in the header that it takes, it would refresh nothing in the
 * background: https://developers.cloudflare.com/workers/cache/
 */
export const toCacheHeaders: ToCacheHeaders = (rule, tags) => ({
  'cloudflare-cdn-cache-control': `public, ${toDirectives(rule)}`,
  'cache-tag': tags.join(','),
});

/**
 * Has the cache of the Worker forget. Where it is not enabled, nothing is kept.
 *
 * @throws Error when Cloudflare refuses.
 */
export async function purge(context: CloudflareContext, tags: readonly string[]): Promise<void> {
  const result = await context.cache?.purge({ tags: [...tags] });
  if (result?.success === false) {
    throw new Error(
      `Cloudflare did not purge ${tags.join(', ')}: ${JSON.stringify(result.errors)}. What it keeps may be old.`,
    );
  }
}
