import { withoutTrailingSlash } from './pathname.ts';
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
    // With an escape in it, a path may have an encoded slash, which only the walk by segments keeps apart.
    if (segments.every(isStatic) && !entry.pattern.includes('%')) {
      statics.set(`/${segments.map(({ text }) => text).join('/')}`, entry);
    }
  }
  return (pathname) => {
    const hit =
      statics.get(pathname) ?? (pathname.endsWith('/') ? statics.get(withoutTrailingSlash(pathname)) : undefined);
    if (hit) return { entry: hit, params: {} };
    const path = withoutTrailingSlash(pathname);
    const walk: Walk = { path, isEncoded: path.includes('%'), values: [] };
    const leaf = path === '/' ? root.leaf : find(root, walk, 1);
    return leaf && { entry: leaf.entry, params: toParams(leaf.names, walk.values) };
  };
}

interface Node<Entry> {
  statics: Map<string, Node<Entry>> | undefined;
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
  return { statics: undefined, param: undefined, rest: undefined, leaf: undefined };
}

function insert<Entry>(root: Node<Entry>, segments: readonly PatternSegment[], entry: Entry): void {
  const leaf: Leaf<Entry> = { entry, names: [] };
  let node = root;
  for (const segment of segments) {
    if (segment.kind === 'static') {
      node.statics ??= new Map();
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

/** A path on its way through the tree. */
interface Walk {
  path: string;
  isEncoded: boolean;
  /** The parameters so far. */
  values: string[];
}

// By position, since to split the path first would take longer than all look-ups together.
function find<Entry>(node: Node<Entry>, walk: Walk, start: number): Leaf<Entry> | undefined {
  const { path, values } = walk;
  if (start > path.length) return node.leaf;
  const slash = path.indexOf('/', start);
  const end = slash === -1 ? path.length : slash;
  // An empty segment, as in `//x`, is no value and no name.
  if (end === start) return undefined;
  const segment = decode(path.slice(start, end), walk);

  const next = node.statics?.get(segment);
  const found = next && find(next, walk, end + 1);
  if (found) return found;

  if (node.param) {
    values.push(segment);
    const leaf = find(node.param, walk, end + 1);
    if (leaf) return leaf;
    values.pop();
  }

  // Each segment by itself: a slash that was encoded is in the value like any other character.
  if (node.rest) values.push(decode(path.slice(start), walk));
  return node.rest;
}

function decode(text: string, { isEncoded }: Walk): string {
  return isEncoded ? decodeURIComponent(text) : text;
}

function toParams(names: readonly string[], values: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string;
    const value = values[index] as string;
    // Assigned, it would be the prototype.
    if (name === '__proto__')
      Object.defineProperty(params, name, { value, enumerable: true, configurable: true, writable: true });
    else params[name] = value;
  }
  return params;
}
