import type { PluginOptions } from '../plugin-options.ts';
import { toPatternKey } from '../route-path.ts';

/**
 * Finds the patterns that may stand in front of a page, so that the client leaves their paths to the server. Those that never
 * do stay unknown to it.
 */
export function findDocuments(patterns: readonly string[], pages: readonly { pattern: string }[]): string[] {
  const own = new Set(pages.map(({ pattern }) => toPatternKey(pattern)));
  return patterns.filter(
    (pattern) => !own.has(toPatternKey(pattern)) && pages.some((page) => overlap(pattern, page.pattern)),
  );
}

/** Finds the patterns of redirects and rewrites that may hold when somebody goes to a page. */
export function findRules(
  { redirects = [], rewrites = [] }: Pick<PluginOptions, 'redirects' | 'rewrites'>,
  pages: readonly { pattern: string }[],
): string[] {
  const rules = [...redirects, ...rewrites].filter(({ methods = ['GET'] }) => methods.includes('GET'));
  const sources = new Set(rules.map(({ source }) => source));
  return [...sources].filter((source) => pages.some(({ pattern }) => overlap(source, pattern)));
}

/** Whether there is a path that both patterns fit. */
function overlap(one: string, other: string): boolean {
  const [a, b] = [one, other].map((pattern) => pattern.split('/').slice(1));
  if (!a || !b) return false;
  for (let index = 0; ; index++) {
    const [left, right] = [a[index], b[index]];
    if (left === undefined || right === undefined) return left === right;
    if (left.startsWith('[...') || right.startsWith('[...')) return true;
    if (!left.startsWith('[') && !right.startsWith('[') && left !== right) return false;
  }
}
