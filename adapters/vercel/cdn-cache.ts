import { toDirectives } from '../../runtime/host.ts';
import type { ToCacheHeaders } from '../../runtime/host.ts';
import { platformContext } from './wait-until.ts';

/** What Vercel's CDN reads and does not send on: https://vercel.com/docs/caching/cache-control-headers */
export const toCacheHeaders: ToCacheHeaders = (rule, tags) => ({
  'vercel-cdn-cache-control': `public, ${toDirectives(rule)}`,
  'vercel-cache-tag': tags.join(','),
});

/** Has Vercel's CDN forget, as `invalidateByTag` of @vercel/functions does. Where there is no CDN, as in `vercel dev`, nothing is kept. */
export async function purge(tags: readonly string[]): Promise<void> {
  await platformContext()?.purge?.invalidateByTag(tags);
}
