/** The names in a `Vary`, in lower case and in an order of their own. */
export function varyOf(headers: Headers): string[] {
  const names = (headers.get('vary') ?? '').toLowerCase().split(',');
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))].toSorted();
}

/** The key of the answer to a request that depends on some of its headers. */
export function toVariantKey(key: string, vary: readonly string[], headers: Headers): string {
  // A line break can be in no value, so no value can pass for another one and a name.
  return [key, ...vary.map((name) => `${name}:${normalize(headers.get(name))}`)].join('\n');
}

// White space around the members of a list says nothing: RFC 9110 section 5.6.1.
function normalize(value: string | null): string {
  return value === null
    ? ''
    : `=${value
        .split(',')
        .map((member) => member.trim())
        .join(',')}`;
}
