/** The parameters of a return URL. */
export interface ReturnParams {
  params: Record<string, string>;
  /** The names that came more than once with different values, which no honest answer has (RFC 6749 section 3.1). */
  contradictory: string[];
}

/**
 * Reads the parameters of a return URL from its query and its fragment.
 *
 * It is split by hand: what React Native has for `URL` refuses or cuts many URLs of apps.
 */
export function parseReturnParams(url: string): ReturnParams {
  const [rest = '', fragment = ''] = cut(url, '#');
  const [, query = ''] = cut(rest, '?');
  const params: Record<string, string> = {};
  const contradictory = new Set<string>();
  for (const part of [query, fragment]) {
    for (const [name, value] of new URLSearchParams(part)) {
      if (Object.hasOwn(params, name) && params[name] !== value) contradictory.add(name);
      // Defined, not assigned: a name may be __proto__.
      Object.defineProperty(params, name, { value, enumerable: true, configurable: true, writable: true });
    }
  }
  return { params, contradictory: [...contradictory] };
}

function cut(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
