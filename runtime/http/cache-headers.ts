import type { MergedCacheRule } from './merged-cache-rule.ts';
import { toVaryChange } from './response-headers.ts';

/** What the cache of a host is told, beside the headers that every cache knows. */
export type ToCacheHeaders = (rule: MergedCacheRule, tags: readonly string[]) => Record<string, string>;

/** An answer whose route has said how it may be kept. */
export interface CachedAnswer {
  status: number;
  /** Why it may be kept for nobody else, whatever was said. */
  isPersonal: boolean;
  /** The `Cache-Control` that every answer has, which none says of itself. */
  defaults: readonly (string | undefined)[];
  /** All tags, that of its path included. */
  tags: readonly string[];
  toCacheHeaders: ToCacheHeaders | undefined;
}

/** What answers have that nobody may give to anybody else. */
export const PERSONAL = 'private, no-cache';

/**
 * Sets the headers that say how an answer may be kept.
 *
 * @returns whether it may be kept at all.
 */
export function setCacheHeaders(headers: Headers, rule: MergedCacheRule | false, answer: CachedAnswer): boolean {
  const given = headers.get('cache-control');
  const own = given !== null && answer.defaults.includes(given) ? null : given;
  if (rule === false || !mayKeep(headers, own, answer)) {
    if (own === null) headers.set('cache-control', PERSONAL);
    return false;
  }
  for (const name of rule.vary) toVaryChange(name)(headers);
  // A browser is not reached by invalidate(), so it asks each time. Its own Cache-Control says more of it.
  if (own === null) headers.set('cache-control', `public, max-age=0, s-maxage=${rule.maxAge}`);
  headers.set('cdn-cache-control', `public, ${toDirectives(rule)}`);
  if (answer.toCacheHeaders) {
    for (const [name, value] of Object.entries(answer.toCacheHeaders(rule, answer.tags))) headers.set(name, value);
  }
  return true;
}

/** The times of a rule as `CDN-Cache-Control` has them: RFC 9213, RFC 5861. */
export function toDirectives({ maxAge, swr, staleIfError }: MergedCacheRule): string {
  return [
    `max-age=${maxAge}`,
    ...(swr > 0 ? [`stale-while-revalidate=${swr}`] : []),
    ...(staleIfError > 0 ? [`stale-if-error=${staleIfError}`] : []),
  ].join(', ');
}

// A part, a failure, or what was said to be for one visitor, is for nobody else. Events never end, so a cache would have others wait for ever.
function mayKeep(headers: Headers, own: string | null, { status, isPersonal }: CachedAnswer): boolean {
  if (isPersonal || status >= 400 || status === 206) return false;
  if (headers.has('set-cookie') || /(?:^|,)\s*\*/.test(headers.get('vary') ?? '')) return false;
  if (/^text\/event-stream\b/i.test(headers.get('content-type') ?? '')) return false;
  return own === null || !/\b(?:private|no-store|no-cache)\b/i.test(own);
}
