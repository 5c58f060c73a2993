/** The parameters of a return URL. */
export interface ReturnParams {
  params: Record<string, string>;
  /**
   * The names that occur more than once with different values, which never happens in an honest answer (RFC 6749
   * section 3.1).
   */
  contradictory: string[];
}

/**
 * Reads the parameters of a return URL from its query and its fragment.
 *
 * It is split by hand, because React Native's `URL` refuses or truncates many URLs of apps, and its `URLSearchParams`
 * many values.
 */
export function parseReturnParams(url: string): ReturnParams {
  const [, query = '', fragment = ''] = /^[^?#]*\??([^#]*)#?(.*)/s.exec(url) ?? [];
  // A map, since a name may be __proto__.
  const params = new Map<string, string>();
  const contradictory = new Set<string>();
  for (const part of [query, fragment]) {
    for (const [name, value] of readPairs(part)) {
      if ((params.get(name) ?? value) !== value) contradictory.add(name);
      params.set(name, value);
    }
  }
  return { params: Object.fromEntries(params), contradictory: [...contradictory] };
}

/** The pairs of a query (URL Standard, 5.1), but for what is not UTF-8: that remains as it is. */
function readPairs(query: string): [string, string][] {
  const pairs = query.split('&').filter(Boolean);
  return pairs.map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [decode(name), decode(value.join('='))];
  });
}

function decode(text: string): string {
  return text.replaceAll('+', ' ').replaceAll(/%[0-7][\da-f]|(?:%[89a-f][\da-f])+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}
