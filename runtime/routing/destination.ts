import { codedError } from '../http/coded-error.ts';
import { toSegments } from './pathname.ts';
import { parsePattern } from './pattern.ts';

/**
 * Returns the destination of a path: a path, or an absolute URL if the destination is one. Undefined if a parameter is `.` or `..`, which a path
 * cannot have as a segment.
 *
 * @param search – the query of the request, with its `?`. It is kept, except for names that the destination sets.
 */
export type Destination = (pathname: string, search: string) => string | undefined;

/** Makes a text from the segments of a path. */
type Part = (segments: readonly string[]) => string | undefined;

/**
 * Compiles the destination of a redirect or rewrite. Values are encoded when they are filled in, so they stay in their segment of the path or in
 * their value of the query: the client cannot choose host or folder.
 *
 * @throws CodedError ERR_BUILD_INVALID for a parameter that the source does not have.
 */
export function createDestination(source: string, destination: string): Destination {
  const { origin, path, query, fragment } = splitDestination(destination);
  const parameters = parametersOf(source);
  const parts = path
    .split('/')
    .slice(1)
    .map((segment) => toPathPart(segment, parameters));
  const given = new Set(new URLSearchParams(query).keys());
  const pairs = query === '' ? [] : query.split('&').map((pair) => toQueryPart(pair, parameters));

  return (pathname, search) => {
    const segments = toSegments(pathname);
    let filled = origin;
    for (const part of parts) {
      const text = part(segments);
      if (text === undefined) return undefined;
      filled += `/${text}`;
    }
    const kept = keepQuery(search, given);
    const merged = [...pairs.map((pair) => pair(segments)), ...(kept === '' ? [] : [kept])].join('&');
    return filled + (merged === '' ? '' : `?${merged}`) + fragment;
  };
}

function splitDestination(text: string): { origin: string; path: string; query: string; fragment: string } {
  const [, origin = '', path = '', query = '', fragment = ''] =
    /^(https?:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?(#.*)?$/is.exec(text) ?? [];
  return { origin, path: path.startsWith('/') ? path : '/', query, fragment: encodeLiteral(fragment) };
}

/** Where in the source each parameter is. */
function parametersOf(source: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const [index, segment] of parsePattern(source).entries()) {
    if (segment.kind !== 'static') found.set(toPlaceholder(segment), index);
  }
  return found;
}

function toPlaceholder({ kind, name }: { kind: string; name: string }): string {
  return kind === 'rest' ? `[...${name}]` : `[${name}]`;
}

function toPathPart(segment: string, parameters: ReadonlyMap<string, number>): Part {
  if (!isPlaceholder(segment)) {
    const literal = encodeLiteral(segment);
    return () => literal;
  }
  const values = toValues(segment, parameters);
  return (segments) => {
    const texts = values(segments);
    // A parsed URL has none; a host's own request might, and would leave the folder.
    return texts.some((text) => text === '.' || text === '..') ? undefined : texts.map(encodeURIComponent).join('/');
  };
}

function toQueryPart(pair: string, parameters: ReadonlyMap<string, number>): Part {
  const [name = ''] = pair.split('=', 1);
  const parts = pair
    .slice(name.length)
    .split(/(\[[^[\]]+\])/)
    .map((text): Part => {
      if (!isPlaceholder(text)) return () => encodeLiteral(text);
      const values = toValues(text, parameters);
      return (segments) => encodeURIComponent(values(segments).join('/'));
    });
  return (segments) => encodeLiteral(name) + parts.map((part) => part(segments)).join('');
}

function isPlaceholder(text: string): boolean {
  return text.startsWith('[') && text.endsWith(']');
}

function toValues(
  placeholder: string,
  parameters: ReadonlyMap<string, number>,
): (segments: readonly string[]) => readonly string[] {
  const index = parameters.get(placeholder);
  if (index === undefined) {
    throw codedError(
      'ERR_BUILD_INVALID',
      `A destination of the server build uses ${placeholder}, which its source does not define. Export the app again.`,
    );
  }
  const end = placeholder.startsWith('[...') ? undefined : index + 1;
  return (segments) => segments.slice(index, end);
}

/** The text as written in a URL: encoded characters stay as they are. */
function encodeLiteral(text: string): string {
  return encodeURI(text).replaceAll(/%25(?=[\da-f]{2})/gi, '%');
}

// Byte for byte, since a query need not come from a form.
function keepQuery(search: string, given: ReadonlySet<string>): string {
  const query = search.slice(1);
  if (given.size === 0) return query;
  const isKept = (pair: string): boolean => {
    const [name] = new URLSearchParams(pair).keys();
    return name === undefined || !given.has(name);
  };
  return query.split('&').filter(isKept).join('&');
}
