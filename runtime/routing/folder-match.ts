import { createMatcher } from './match.ts';
import type { Match } from './match.ts';
import { parsePattern } from './pattern.ts';

// File names cannot have this character, so no parameter has this name.
const BELOW = '\0';

/**
 * Finds the entry of the folder that a path is in, or of the nearest one above.
 *
 * @returns a function of a path, and of the entry above whose folder to look. Default: none.
 */
export function createFolderMatcher<Entry extends { pattern: string }>(
  entries: readonly Entry[],
): (pathname: string, below?: Entry) => Match<Entry> | undefined {
  const byDepth = new Map<number, { pattern: string; entry: Entry }[]>();
  for (const entry of entries) {
    const depth = parsePattern(entry.pattern).length;
    const own = [entry.pattern, `${entry.pattern}/[...${BELOW}]`].map((pattern) => ({ pattern, entry }));
    byDepth.set(depth, [...(byDepth.get(depth) ?? []), ...own]);
  }
  const matchers = [...byDepth]
    .toSorted(([a], [b]) => b - a)
    .map(([depth, known]) => ({ depth, match: createMatcher(known) }));
  const top = entries.find(({ pattern }) => pattern === '/');
  return (pathname, below) => {
    const limit = below ? parsePattern(below.pattern).length : Infinity;
    for (const { depth, match } of matchers) {
      const found = depth < limit ? match(pathname) : undefined;
      if (!found) continue;
      const { [BELOW]: _, ...params } = found.params;
      return { entry: found.entry.entry, params };
    }
    // It also covers paths that no pattern fits, such as one that begins with two slashes.
    return top && limit > 0 ? { entry: top, params: {} } : undefined;
  };
}
