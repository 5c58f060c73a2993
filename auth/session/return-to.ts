/**
 * Reads where the user goes after signing in; undefined when that is not in the app. It comes from a URL that anyone
 * may have written: if it could name another site, a link to the app would lead there (RFC 9700 section 4.11).
 *
 * @returns a URL with its origin. A path without an origin could begin with two slashes, which name another site.
 */
export function toReturnUrl(path: string, origin: string): string | undefined {
  // Browsers read a backslash as a slash, and drop tabs and line breaks. URL does the same, so its result is used.
  if (!path.startsWith('/') || !URL.canParse(path, origin)) return undefined;
  const url = new URL(path, origin);
  return url.origin === origin ? url.href : undefined;
}
