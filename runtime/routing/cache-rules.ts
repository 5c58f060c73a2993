import type { MergedCacheRule } from '../http/merged-cache-rule.ts';
import type { ManifestCacheRule } from '../manifest.ts';
import { createMatcher } from './match.ts';

/** Finds how the answer to a path may be kept. */
export type FindCacheRule = (pathname: string) => MergedCacheRule | undefined;

/** Compiles the rules of a manifest. Returns undefined if it has none. */
export function createCacheRules(rules: readonly ManifestCacheRule[] = []): FindCacheRule | undefined {
  if (rules.length === 0) return undefined;
  const match = createMatcher(rules.map((rule) => ({ pattern: rule.source, rule: toMerged(rule) })));
  return (pathname) => match(pathname)?.entry.rule;
}

// The export has checked it.
function toMerged({ maxAge, swr = 0, staleIfError = 0, tags = [], vary = [] }: ManifestCacheRule): MergedCacheRule {
  return { maxAge, swr, staleIfError, tags, vary: vary.map((name) => name.toLowerCase()) };
}
