import { codedError } from './coded-error.ts';
import { toPathTag } from './merged-cache-rule.ts';
import type { MergedCacheRule } from './merged-cache-rule.ts';

/** How an answer may be kept by shared caches: the one of this server, a CDN, a proxy. Times are in seconds. */
export interface CacheRule {
  /** How long the answer is fresh, in seconds, a whole number. Browsers still ask again each time. */
  maxAge: number;
  /** For how many more seconds it may be sent while a new one is made (`stale-while-revalidate`). Default: 0. */
  swr?: number | undefined;
  /** For how many more seconds it may be sent if making a new one fails (`stale-if-error`). Default: 0. */
  staleIfError?: number | undefined;
  /**
   * Names for `invalidate()`: visible ASCII characters without a comma, at most 200, not starting with `/`. Default: none. `invalidate()` also
   * accepts the path of an answer.
   */
  tags?: readonly string[] | undefined;
  /** The request headers that the answer depends on. Caches keep one answer per combination of their values. Default: none. */
  vary?: readonly string[] | undefined;
}

const TIMES = ['maxAge', 'swr', 'staleIfError'] as const;
const KEYS: readonly string[] = [...TIMES, 'tags', 'vary'];
/** The largest time in `Cache-Control`: RFC 9111 section 1.2.2. */
const LONGEST = 2 ** 31 - 1;
const TAG = /^(?!\/)[!-+\--~]{1,200}$/;
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;

/** Checks the argument of `cache()` or a rule of the app config.
 * @throws TypeError when it is invalid.
 */
export function toCacheRule(given: unknown): MergedCacheRule {
  if (typeof given !== 'object' || given === null) throw invalid(`was given ${String(given)}`, EXAMPLE);
  const rule = given as Partial<Record<string, unknown>>;
  for (const key of Object.keys(rule)) {
    if (!KEYS.includes(key)) throw invalid(`was given ${key}, which it does not know`, `It knows ${KEYS.join(', ')}.`);
  }
  if (rule['maxAge'] === undefined) throw invalid('was given no maxAge', EXAMPLE);
  const [maxAge = 0, swr = 0, staleIfError = 0] = TIMES.map((key) => toSeconds(key, rule[key]));
  return {
    maxAge,
    swr,
    staleIfError,
    tags: toList('tags', rule['tags'], TAG),
    vary: toList('vary', rule['vary'], HEADER_NAME).map((name) => name.toLowerCase()),
  };
}

/** Checks the argument of `invalidate()`: a tag, or a path as written in a URL.
 *
 * @throws TypeError when it is neither.
 */
export function toInvalidated(given: unknown): string {
  if (typeof given === 'string' && TAG.test(given)) return given;
  if (typeof given === 'string' && given.startsWith('/'))
    return toPathTag(new URL(given, 'http://path.invalid').pathname);
  throw codedError(
    'ERR_CACHE_INVALID',
    `invalidate() was given ${JSON.stringify(given)}. Give it a tag such as 'posts', or a path such as '/posts/1'.`,
  );
}

const EXAMPLE = "Give it seconds: cache({ maxAge: 60, tags: ['posts'] }), or false.";

function toSeconds(key: string, value: unknown): number {
  if (value === undefined) return 0;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return Math.min(value, LONGEST);
  throw invalid(`was given ${String(value)} as ${key}`, 'Give it a whole number of seconds.');
}

function toList(key: string, value: unknown, pattern: RegExp): string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw invalid(`was given ${String(value)} as ${key}`, 'Give it a list of strings.');
  for (const one of value as unknown[]) {
    if (typeof one === 'string' && pattern.test(one)) continue;
    const wanted =
      key === 'vary'
        ? 'Give it names of request headers.'
        : 'Give it visible ASCII characters without a comma, at most 200, not starting with "/".';
    throw invalid(`was given ${JSON.stringify(one)} in ${key}`, wanted);
  }
  return [...new Set(value as string[])];
}

function invalid(what: string, hint: string): TypeError {
  return codedError('ERR_CACHE_INVALID', `cache() ${what}. ${hint}`);
}
