import { toDirectives } from '../../runtime/host.ts';
import type { ToCacheHeaders } from '../../runtime/host.ts';
import { platformContext } from './wait-until.ts';

/** The headers that Vercel's CDN reads and does not pass on: https://vercel.com/docs/caching/cache-control-headers */
export const toCacheHeaders: ToCacheHeaders = (rule, tags) => ({
  'vercel-cdn-cache-control': `public, ${toDirectives(rule)}`,
  'vercel-cache-tag': tags.join(','),
});

/**
 * Purges tags from Vercel's CDN, like `invalidateByTag` of @vercel/functions. Without a CDN, as in `vercel dev`,
 * nothing is kept.
 */
export async function purge(tags: readonly string[]): Promise<void> {
  await platformContext()?.purge?.invalidateByTag(tags);
}
