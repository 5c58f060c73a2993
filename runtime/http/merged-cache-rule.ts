import { toSegments } from '../routing/pathname.ts';

/** A checked rule, or several merged into one. */
export interface MergedCacheRule {
  maxAge: number;
  swr: number;
  staleIfError: number;
  tags: readonly string[];
  /** In lower case. */
  vary: readonly string[];
}

/** One rule with the shorter times and the tags of both. */
export function mergeCacheRules(one: MergedCacheRule, other: MergedCacheRule): MergedCacheRule {
  return {
    maxAge: Math.min(one.maxAge, other.maxAge),
    swr: Math.min(one.swr, other.swr),
    staleIfError: Math.min(one.staleIfError, other.staleIfError),
    tags: [...new Set([...one.tags, ...other.tags])],
    vary: [...new Set([...one.vary, ...other.vary])],
  };
}

/** The tag that every answer has: its path, however it is encoded, with or without a slash at its end. */
export function toPathTag(pathname: string): string {
  return `/${toSegments(pathname).map(encodeURIComponent).join('/')}`;
}
