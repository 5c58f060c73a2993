import type { PluginOptions } from '../config/plugin-options.ts';
import { toPatternKey } from '../app/route-path.ts';

/**
 * Finds the patterns that may come before a page, so that the client leaves their paths to the server. The client does
 * not get the others.
 */
export function findDocuments(patterns: readonly string[], pages: readonly { pattern: string }[]): string[] {
  const own = new Set(pages.map(({ pattern }) => toPatternKey(pattern)));
  return findOverlapping(
    patterns.filter((pattern) => !own.has(toPatternKey(pattern))),
    pages,
  );
}

/** Finds the patterns of redirects and rewrites that may apply when a visitor goes to a page. */
export function findRules(
  { redirects = [], rewrites = [] }: Pick<PluginOptions, 'redirects' | 'rewrites'>,
  pages: readonly { pattern: string }[],
): string[] {
  const rules = [...redirects, ...rewrites].filter(({ methods = ['GET'] }) => methods.includes('GET'));
  return findOverlapping([...new Set(rules.map(({ source }) => source))], pages);
}

/** The patterns that match a path that a page matches, too. */
function findOverlapping(patterns: readonly string[], pages: readonly { pattern: string }[]): string[] {
  const segments = pages.map((page) => page.pattern.split('/').slice(1));
  return patterns.filter((pattern) => {
    const these = pattern.split('/').slice(1);
    return segments.some((those) => overlap(these, those));
  });
}

/** Whether both patterns match some path. */
function overlap(a: readonly string[], b: readonly string[]): boolean {
  for (let index = 0; ; index++) {
    const [left, right] = [a[index], b[index]];
    if (left === undefined || right === undefined) return left === right;
    if (left.startsWith('[...') || right.startsWith('[...')) return true;
    if (!left.startsWith('[') && !right.startsWith('[') && left !== right) return false;
  }
}
