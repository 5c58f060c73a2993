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
 * It is split by hand, because React Native's `URL` refuses or truncates many URLs of apps.
 */
export function parseReturnParams(url: string): ReturnParams {
  const [, query = '', fragment = ''] = /^[^?#]*\??([^#]*)#?(.*)$/s.exec(url) ?? [];
  // A map, since a name may be __proto__.
  const params = new Map<string, string>();
  const contradictory = new Set<string>();
  for (const part of [query, fragment]) {
    for (const [name, value] of new URLSearchParams(part)) {
      if ((params.get(name) ?? value) !== value) contradictory.add(name);
      params.set(name, value);
    }
  }
  return { params: Object.fromEntries(params), contradictory: [...contradictory] };
}
