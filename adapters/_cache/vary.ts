/** The names in a `Vary`, in lower case and sorted. */
export function varyOf(headers: Headers): string[] {
  const names = (headers.get('vary') ?? '').toLowerCase().split(',');
  return [...new Set(names.map((name) => name.trim()).filter((name) => name !== ''))].toSorted();
}

/** The key of the answer to a request that depends on some of its headers. */
export function toVariantKey(key: string, vary: readonly string[], headers: Headers): string {
  // A value cannot contain a line break, so no value can look like a name with another value.
  return [key, ...vary.map((name) => `${name}:${normalize(headers.get(name))}`)].join('\n');
}

// White space around the members of a list has no meaning: RFC 9110 section 5.6.1.
function normalize(value: string | null): string {
  return value === null
    ? ''
    : `=${value
        .split(',')
        .map((member) => member.trim())
        .join(',')}`;
}
