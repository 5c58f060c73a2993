import { toSegments } from '../routing/pathname.ts';

/** A rule that has been checked, or several in one. */
export interface MergedCacheRule {
  maxAge: number;
  swr: number;
  staleIfError: number;
  tags: readonly string[];
  /** In lower case. */
  vary: readonly string[];
}

/** One rule that keeps no answer longer than either does, and finds it by the tags of both. */
export function mergeCacheRules(one: MergedCacheRule, other: MergedCacheRule): MergedCacheRule {
  return {
    maxAge: Math.min(one.maxAge, other.maxAge),
    swr: Math.min(one.swr, other.swr),
    staleIfError: Math.min(one.staleIfError, other.staleIfError),
    tags: [...new Set([...one.tags, ...other.tags])],
    vary: [...new Set([...one.vary, ...other.vary])],
  };
}

/** The tag by which an answer is found that says no other: its path, however it is encoded, and with or without a slash at its end. */
export function toPathTag(pathname: string): string {
  return `/${toSegments(pathname).map(encodeURIComponent).join('/')}`;
}
