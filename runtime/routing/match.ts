import { withoutTrailingSlash } from './pathname.ts';
import { toCanonical } from './pattern.ts';

/** The match of a path: the entry whose pattern fits best, and the decoded parameters. */
export interface Match<Entry> {
  entry: Entry;
  params: Record<string, string>;
}

/** Finds the entry for a path that can be decoded, see `isDecodable`. */
export type Matcher<Entry> = (pathname: string) => Match<Entry> | undefined;

/**
 * Compiles patterns into one matcher. If several patterns fit, a static segment wins over a parameter and a parameter
 * over a rest, compared segment by segment from the left. The order of the entries does not matter, unless two have
 * the same pattern: the later one wins. The cost of a look-up grows with the path, not with the number of entries.
 *
 * @throws TypeError when a pattern is malformed.
 */
export function createMatcher<Entry extends { pattern: string }>(entries: readonly Entry[]): Matcher<Entry> {
  const root = createNode<Entry>();
  const statics = new Map<string, StaticMatch<Entry>>();
  for (const entry of entries) {
    const pattern = toCanonical(entry.pattern);
    addTo(root, { pattern, at: 1, leaf: { entry, names: [] } });
    // A path with an escape may have an encoded slash, which only the walk by segments handles correctly.
    if (!pattern.includes('[') && !pattern.includes('%')) statics.set(pattern, new StaticMatch(entry));
  }
  // One object for all look-ups, since none begins within another. What it saves: docs/decisions/009.
  const values: string[] = [];
  return (pathname) => {
    const hit = statics.get(pathname);
    if (hit) return hit;
    const path = withoutTrailingSlash(pathname);
    if (path !== pathname) {
      const hitWithout = statics.get(path);
      if (hitWithout) return hitWithout;
    }
    const walk: Walk = { path, isEncoded: path.includes('%'), values };
    const leaf = path === '/' ? expanded(root).leaf : find(root, walk, 1, 0);
    return leaf && { entry: leaf.entry, params: toParams(leaf.names, walk.values) };
  };
}

/** A match without parameters: the same object for each look-up, which is faster than making one. */
class StaticMatch<Entry> implements Match<Entry> {
  readonly entry: Entry;

  constructor(entry: Entry) {
    this.entry = entry;
  }

  // A new object per called route, since the route may write to it.
  get params(): Record<string, string> {
    return {};
  }
}

interface Node<Entry> {
  /** Entries below that are not sorted in yet: an app may have thousands of routes, and its first answer needs one. */
  waiting: Waiting<Entry>[] | undefined;
  statics: Map<string, Node<Entry>> | undefined;
  param: Node<Entry> | undefined;
  rest: Leaf<Entry> | undefined;
  leaf: Leaf<Entry> | undefined;
}

interface Waiting<Entry> {
  pattern: string;
  /** Where in the pattern the next segment starts. */
  at: number;
  leaf: Leaf<Entry>;
}

// The leaf has the names: two patterns may share a parameter's place but name it differently.
interface Leaf<Entry> {
  entry: Entry;
  names: string[];
}

function createNode<Entry>(): Node<Entry> {
  return { waiting: undefined, statics: undefined, param: undefined, rest: undefined, leaf: undefined };
}

function addTo<Entry>(node: Node<Entry>, waiting: Waiting<Entry>): void {
  (node.waiting ??= []).push(waiting);
}

/** The node, with waiting entries sorted in by their next segment. */
function expanded<Entry>(node: Node<Entry>): Node<Entry> {
  if (!node.waiting) return node;
  for (const one of node.waiting) sortIn(node, one);
  node.waiting = undefined;
  return node;
}

function sortIn<Entry>(node: Node<Entry>, waiting: Waiting<Entry>): void {
  const { pattern, at, leaf } = waiting;
  if (at >= pattern.length) {
    node.leaf = leaf;
    return;
  }
  const slash = pattern.indexOf('/', at);
  const end = slash === -1 ? pattern.length : slash;
  const text = pattern.slice(at, end);
  waiting.at = end + 1;
  if (!text.startsWith('[')) {
    node.statics ??= new Map();
    let next = node.statics.get(text);
    if (!next) node.statics.set(text, (next = createNode()));
    addTo(next, waiting);
  } else if (text.startsWith('[...')) {
    leaf.names.push(toKey(text.slice('[...'.length, -1)));
    node.rest = leaf;
  } else {
    leaf.names.push(toKey(text.slice(1, -1)));
    addTo((node.param ??= createNode()), waiting);
  }
}

// The same text in the form that the engine (V8) keeps for a property: a text cut from a pattern is looked up at each use.
function toKey(name: string): string {
  return Object.keys({ [name]: 0 })[0] as string; // the one just given
}

/** A path on its way through the tree. */
interface Walk {
  path: string;
  isEncoded: boolean;
  /** The parameters so far, as many as the walk is deep. Later entries are from a path that did not match. */
  values: string[];
}

// By position, since splitting the path first would take longer than all look-ups together.
function find<Entry>(from: Node<Entry>, walk: Walk, at: number, depth: number): Leaf<Entry> | undefined {
  const { path, values } = walk;
  for (let node = expanded(from), start = at; ;) {
    const slash = path.indexOf('/', start);
    const end = slash === -1 ? path.length : slash;
    // An empty segment, as in `//x`, is neither a value nor a name.
    if (end <= start) return undefined;
    const isLast = end === path.length;
    const segment = decode(path.slice(start, end), walk);

    const next = node.statics?.get(segment);
    // If there is no alternative to come back to, walk in a loop, which takes 10 % less time than calls.
    if (next && !isLast && !node.param && !node.rest) {
      node = expanded(next);
      start = end + 1;
      continue;
    }
    const found = next && (isLast ? expanded(next).leaf : find(next, walk, end + 1, depth));
    if (found) return found;

    if (node.param) {
      values[depth] = segment;
      const leaf = isLast ? expanded(node.param).leaf : find(node.param, walk, end + 1, depth + 1);
      if (leaf) return leaf;
    }

    // Decode each segment separately: an encoded slash is part of the value like any other character.
    if (node.rest) values[depth] = decode(path.slice(start), walk);
    return node.rest;
  }
}

function decode(text: string, { isEncoded }: Walk): string {
  return isEncoded ? decodeURIComponent(text) : text;
}

function toParams(names: readonly string[], values: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (let index = 0; index < names.length; index++) {
    const name = names[index] as string;
    const value = values[index] as string;
    // An assignment would set the prototype.
    if (name === '__proto__')
      Object.defineProperty(params, name, { value, enumerable: true, configurable: true, writable: true });
    else params[name] = value;
  }
  return params;
}
