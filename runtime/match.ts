import { toSegments, withoutTrailingSlash } from './pathname.ts';
import { isStatic, parsePattern } from './pattern.ts';
import type { PatternSegment } from './pattern.ts';

/** What answers a path: the entry whose pattern fits best, and the decoded parameters. */
export interface Match<Entry> {
  entry: Entry;
  params: Record<string, string>;
}

/** Finds the entry for a path that can be decoded, see `isDecodable`. */
export type Matcher<Entry> = (pathname: string) => Match<Entry> | undefined;

/**
 * Compiles patterns into one matcher. Of several patterns that fit, the one that is static wins over a parameter and a
 * parameter over a rest, compared segment by segment from the left. The order of the entries plays no part, and the cost
 * of a look-up grows with the path, not with the number of entries.
 */
export function createMatcher<Entry extends { pattern: string }>(entries: readonly Entry[]): Matcher<Entry> {
  const root = createNode<Entry>();
  const statics = new Map<string, Entry>();
  for (const entry of entries) {
    const segments = parsePattern(entry.pattern);
    insert(root, segments, entry);
    if (segments.every(isStatic)) statics.set(`/${segments.map(({ text }) => text).join('/')}`, entry);
  }
  return (pathname) => {
    // A path with an escape may have an encoded slash in it, which only the walk by segments keeps apart.
    if (!pathname.includes('%')) {
      const hit = statics.get(withoutTrailingSlash(pathname));
      if (hit) return { entry: hit, params: {} };
    }
    const values: string[] = [];
    const leaf = walk(root, toSegments(pathname), 0, values);
    return leaf && { entry: leaf.entry, params: toParams(leaf.names, values) };
  };
}

interface Node<Entry> {
  statics: Map<string, Node<Entry>>;
  param: Node<Entry> | undefined;
  rest: Leaf<Entry> | undefined;
  leaf: Leaf<Entry> | undefined;
}

// The names live with the leaf: two patterns may share a parameter's place and call it differently.
interface Leaf<Entry> {
  entry: Entry;
  names: string[];
}

function createNode<Entry>(): Node<Entry> {
  return { statics: new Map(), param: undefined, rest: undefined, leaf: undefined };
}

function insert<Entry>(root: Node<Entry>, segments: readonly PatternSegment[], entry: Entry): void {
  const leaf: Leaf<Entry> = { entry, names: [] };
  let node = root;
  for (const segment of segments) {
    if (segment.kind === 'static') {
      let next = node.statics.get(segment.text);
      if (!next) node.statics.set(segment.text, (next = createNode()));
      node = next;
      continue;
    }
    leaf.names.push(segment.name);
    if (segment.kind === 'rest') {
      node.rest = leaf;
      return;
    }
    node = node.param ??= createNode();
  }
  node.leaf = leaf;
}

function walk<Entry>(
  node: Node<Entry>,
  segments: readonly string[],
  index: number,
  values: string[],
): Leaf<Entry> | undefined {
  const segment = segments[index];
  if (segment === undefined) return node.leaf;
  // An empty segment, as in `//x`, is no value and no name.
  if (segment === '') return undefined;

  const next = node.statics.get(segment);
  const found = next && walk(next, segments, index + 1, values);
  if (found) return found;

  if (node.param) {
    values.push(segment);
    const leaf = walk(node.param, segments, index + 1, values);
    if (leaf) return leaf;
    values.pop();
  }

  if (node.rest) values.push(segments.slice(index).join('/'));
  return node.rest;
}

function toParams(names: readonly string[], values: readonly string[]): Record<string, string> {
  // fromEntries defines rather than assigns, so a parameter called __proto__ is a parameter.
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? '']));
}
