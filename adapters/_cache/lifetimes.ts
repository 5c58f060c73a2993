import { parseDirectives, secondsOf } from './directives.ts';
import type { Directives } from './directives.ts';

/** How long an answer may be sent to others, in seconds. */
export interface Lifetimes {
  fresh: number;
  staleWhileRevalidate: number;
  staleIfError: number;
}

const UNDERSTOOD = [200, 203, 204, 300, 301, 302, 303, 304, 307, 308, 404, 405, 410, 414, 501];
const NONE: Lifetimes = { fresh: 0, staleWhileRevalidate: 0, staleIfError: 0 };

/**
 * Reads how long a shared cache may send an answer: from `CDN-Cache-Control` if the answer has one, otherwise from
 * `Cache-Control` and `Expires`.
 *
 * @returns undefined when the answer may not be kept.
 * @see RFC 9111 sections 3 and 4.2.1, RFC 9213 section 2, RFC 5861
 */
export function toLifetimes(headers: Headers, status: number, now: number = Date.now()): Lifetimes | undefined {
  const targeted = headers.get('cdn-cache-control');
  const directives = parseDirectives(targeted ?? headers.get('cache-control'));
  if (['no-store', 'private'].some((name) => directives.has(name))) return undefined;
  // An answer with an unknown status must not be kept: RFC 9111 section 5.2.2.3.
  if (directives.has('must-understand') && !UNDERSTOOD.includes(status)) return undefined;
  // An invalid age may mean any age: RFC 9111 section 5.1.
  if (!/^\d*$/.test(headers.get('age') ?? '')) return undefined;
  const fresh = toFresh(directives, targeted === null ? headers : undefined, now);
  if (directives.has('no-cache')) return NONE;
  const isStrict = ['must-revalidate', 'proxy-revalidate', 's-maxage'].some((name) => directives.has(name));
  return {
    fresh,
    staleWhileRevalidate: isStrict ? 0 : (secondsOf(directives, 'stale-while-revalidate') ?? 0),
    staleIfError: isStrict ? 0 : (secondsOf(directives, 'stale-if-error') ?? 0),
  };
}

function toFresh(directives: Directives, headers: Headers | undefined, now: number): number {
  const said = secondsOf(directives, 's-maxage') ?? secondsOf(directives, 'max-age');
  if (said !== undefined) return said;
  const expires = headers?.get('expires') ?? null;
  if (expires === null) return 0;
  const date = Date.parse(headers?.get('date') ?? '');
  // An invalid date counts as past: RFC 9111 section 5.3.
  return Math.max(0, Math.floor((Date.parse(expires) - (Number.isNaN(date) ? now : date)) / 1000)) || 0;
}
