/**
 * Whether an `If-None-Match` header names an entity tag, compared weakly.
 *
 * @see RFC 9110 section 13.1.2
 */
export function isNoneMatch(header: string | null, etag: string): boolean {
  if (header === null) return false;
  if (header.trim() === '*') return true;
  const tags: readonly string[] = header.match(/"[^"]*"/g) ?? [];
  return tags.includes(etag.replace(/^W\//, ''));
}
