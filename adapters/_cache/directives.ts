/** The directives of a `Cache-Control`, or of a header of the same form. Names are in lower case. */
export type Directives = ReadonlyMap<string, string>;

/** Reads a `Cache-Control`. If a directive appears twice, the first counts: RFC 9111 section 4.2.1. */
export function parseDirectives(header: string | null): Directives {
  const directives = new Map<string, string>();
  for (const [, name = '', quoted, token] of (header ?? '').matchAll(DIRECTIVE)) {
    const key = name.toLowerCase();
    if (!directives.has(key)) directives.set(key, quoted?.replaceAll(/\\(.)/g, '$1') ?? token ?? '');
  }
  return directives;
}

const DIRECTIVE = /([^\s",;=]+)(?:=(?:"((?:[^"\\]|\\.)*)"|([^\s",;]*)))?/g;

/** A time in seconds: RFC 9111 section 1.2.2. An invalid value counts as present, and as zero. */
export function secondsOf(directives: Directives, name: string): number | undefined {
  const value = directives.get(name);
  if (value === undefined) return undefined;
  return /^\d+$/.test(value) ? Math.min(Number(value), 2 ** 31) : 0;
}
