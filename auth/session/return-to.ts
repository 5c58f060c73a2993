/**
 * Reads where the user goes after signing in; undefined when that is not in the app. It comes from a URL that anybody may have
 * written: with another site in it, a link to the app would lead there (RFC 9700 section 4.11).
 *
 * @returns a URL with its origin. A path alone may begin with two slashes, which names another site.
 */
export function toReturnUrl(path: string, origin: string): string | undefined {
  // A browser reads a backslash as a slash, and leaves tabs and line breaks out. So does URL, whose answer counts.
  if (!path.startsWith('/') || !URL.canParse(path, origin)) return undefined;
  const url = new URL(path, origin);
  return url.origin === origin ? url.href : undefined;
}
