import type { Mistake } from './rule-source.ts';

const PLACEHOLDER = /\[[^[\]]*\]/g;
const ABSOLUTE = /^https?:\/\/[^/?#]*/i;

/**
 * Explains what is wrong with the destination of a redirect or rewrite.
 *
 * @param source – the pattern whose parameters it may use.
 * @param mayLeave – whether it may be an absolute URL, and have a fragment.
 */
export function explainDestination(
  text: string,
  { source, mayLeave }: { source: string; mayLeave: boolean },
): Mistake | undefined {
  return explainTarget(text, mayLeave) ?? explainText(text) ?? explainPlaceholders(text, source);
}

/** Whether the source of a redirect matches its own destination, whatever the parameters are. */
export function leadsToItself(source: string, destination: string): boolean {
  if (ABSOLUTE.test(destination)) return false;
  const { path } = splitDestination(destination);
  const to = path.split('/').slice(1).map(toText);
  // One trailing slash is optional. The root has no segment.
  if (to.at(-1) === '') to.pop();
  const from = source.split('/').filter((segment) => segment !== '');
  for (const [index, segment] of from.entries()) {
    const other = to[index];
    if (other === undefined) return false;
    if (isRest(segment)) return true;
    // The number of segments it matches is not known.
    if (isRest(other)) return false;
    if (!isPlaceholder(segment) && segment !== other) return false;
  }
  return to.length === from.length;
}

function explainTarget(text: string, mayLeave: boolean): Mistake | undefined {
  const origin = ABSOLUTE.exec(text)?.[0];
  if (origin !== undefined && !mayLeave) {
    return { message: 'is outside the app', fix: 'Use a redirect, or fetch it in a route.' };
  }
  // The URL parser accepts brackets only in an IPv6 address.
  if (origin?.includes('[') && !URL.canParse(origin)) {
    return { message: 'has a parameter in its host, which a caller would choose', fix: 'Write the host out.' };
  }
  if (origin === undefined ? !/^\/(?![/\\])/.test(text) : !URL.canParse(origin)) {
    const wanted = mayLeave ? 'a path from the root of the app, or a URL with http or https' : 'a path of the app';
    return { message: 'leads nowhere', fix: `Make it ${wanted}, such as "/new/[id]".` };
  }
  if (!mayLeave && text.includes('#')) {
    return { message: 'has a fragment, which only a client sees', fix: 'Leave it out.' };
  }
  return undefined;
}

function explainText(text: string): Mistake | undefined {
  if (!isDecodable(text)) {
    return { message: 'has a character that no URL can have', fix: 'Write %25 for a "%" that encodes nothing.' };
  }
  // The URL parser would reinterpret or remove these.
  if (/[\\\s\p{Cc}\p{Cs}]/u.test(text)) {
    return {
      message: 'has a backslash, white space or half a character',
      fix: 'Write it percent-encoded, such as %20.',
    };
  }
  const { path } = splitDestination(text);
  if (/\/(?:\.|%2e){1,2}(?:\/|$)|\/\//i.test(path)) {
    return { message: 'has an empty segment, or a segment of dots', fix: 'Write the path that it leads to.' };
  }
  return undefined;
}

function explainPlaceholders(text: string, source: string): Mistake | undefined {
  const { path, query, fragment } = splitDestination(text);
  const inQuery = query.split('&').map((pair) => pair.slice(pair.indexOf('=') + 1 || pair.length));
  const segments = path.split('/');
  const parameters = source.split('/').filter(isPlaceholder);
  const mixed =
    segments.find((segment) => /[[\]]/.test(segment) && !isPlaceholder(segment)) ?? fragment.match(/.*[[\]].*/)?.[0];
  if (mixed !== undefined) {
    return {
      message: `has a bracket in ${JSON.stringify(mixed)}`,
      fix: 'A parameter is a whole segment of the path, or in a value of the query. Write %5B and %5D for the characters.',
    };
  }
  const used = [...segments.filter(isPlaceholder), ...inQuery.flatMap((value) => value.match(PLACEHOLDER) ?? [])];
  const unknown = used.find((placeholder) => !parameters.includes(placeholder));
  if (unknown === undefined) return undefined;
  const known = parameters.length === 0 ? 'no parameters' : `only ${parameters.join(' and ')}`;
  return {
    message: `has ${unknown}, and its source has ${known}`,
    fix: 'Use parameters of the source, written as there.',
  };
}

function splitDestination(text: string): { path: string; query: string; fragment: string } {
  const [, path = '', query = '', fragment = ''] =
    /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(text.replace(ABSOLUTE, '')) ?? [];
  return { path, query, fragment };
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== '';
  } catch {
    return false;
  }
}

function toText(segment: string): string {
  return decodeURIComponent(segment).normalize('NFC');
}

function isPlaceholder(segment: string): boolean {
  return segment.startsWith('[') && segment.endsWith(']') && segment.length > 2;
}

function isRest(segment: string): boolean {
  return isPlaceholder(segment) && segment.startsWith('[...');
}
