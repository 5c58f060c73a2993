import type { MergedCacheRule } from './merged-cache-rule.ts';
import { toVaryChange } from './response-headers.ts';

/** Headers for a host's cache, in addition to the standard ones. */
export type ToCacheHeaders = (rule: MergedCacheRule, tags: readonly string[]) => Record<string, string>;

/** An answer for which `cache()` was called. */
export interface CachedAnswer {
  status: number;
  /** Why it must not be kept for others, whatever `cache()` was given. */
  isPersonal: boolean;
  /** The `Cache-Control` that the config sets on every answer, not the answer itself. */
  defaults: readonly (string | undefined)[];
  /** All tags, including the one of its path. */
  tags: readonly string[];
  toCacheHeaders: ToCacheHeaders | undefined;
}

/** The headers of answers that must not be sent to others. */
export const PERSONAL = 'private, no-cache';

/**
 * Sets the headers that say how an answer may be kept.
 *
 * @returns whether it may be kept.
 */
export function setCacheHeaders(headers: Headers, rule: MergedCacheRule | false, answer: CachedAnswer): boolean {
  const given = headers.get('cache-control');
  const own = given !== null && answer.defaults.includes(given) ? null : given;
  if (rule === false || !mayShare(headers, answer)) {
    // With a value, private is only about the headers that it names: RFC 9111 section 5.2.2.7.
    if (!/\b(?:private|no-store)\b(?!\s*=)/i.test(own ?? '')) headers.set('cache-control', PERSONAL);
    // A cache that knows one of these headers follows it instead: RFC 9213.
    for (const name of [...headers.keys()].filter((one) => one.endsWith('cdn-cache-control'))) headers.delete(name);
    return false;
  }
  if (/\b(?:private|no-store|no-cache)\b/i.test(own ?? '')) return false;
  for (const name of rule.vary) toVaryChange(name)(headers);
  // invalidate() does not reach browsers, so they revalidate each time, unless the answer has its own Cache-Control.
  if (own === null) headers.set('cache-control', `public, max-age=0, s-maxage=${rule.maxAge}`);
  headers.set('cdn-cache-control', `public, ${toDirectives(rule)}`);
  if (answer.toCacheHeaders) {
    for (const [name, value] of Object.entries(answer.toCacheHeaders(rule, answer.tags))) headers.set(name, value);
  }
  return true;
}

/** The times of a rule in the form of `CDN-Cache-Control`: RFC 9213, RFC 5861. */
export function toDirectives({ maxAge, swr, staleIfError }: MergedCacheRule): string {
  return [
    `max-age=${maxAge}`,
    ...(swr > 0 ? [`stale-while-revalidate=${swr}`] : []),
    ...(staleIfError > 0 ? [`stale-if-error=${staleIfError}`] : []),
  ].join(', ');
}

// A partial or failed answer must not be sent to others, and neither must a personal one. An event stream never ends, so a
// cache would make others wait forever.
function mayShare(headers: Headers, { status, isPersonal }: CachedAnswer): boolean {
  if (isPersonal || status >= 400 || status === 206) return false;
  if (headers.has('set-cookie') || /(?:^|,)\s*\*/.test(headers.get('vary') ?? '')) return false;
  return !/^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
}
