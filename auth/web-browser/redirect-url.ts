/**
 * Whether a URL is the redirect URL with something added to its query or fragment: scheme, host, port and path must be
 * equal, except for a slash at the end, which static hosts add to the path of a folder.
 */
export function isReturnTo(redirectUrl: string, url: string): boolean {
  const [expected, actual] = [parseUrl(redirectUrl), parseUrl(url)];
  if (expected === null || actual === null) return false;
  return expected.origin === actual.origin && withoutSlash(expected) === withoutSlash(actual);
}

function withoutSlash({ pathname }: URL): string {
  return pathname.replace(/\/$/, '');
}

/**
 * Parses a URL, against another if it is relative; null if it is invalid. Node 20 has no `URL.parse`, and Safari before
 * 17 not even `URL.canParse`.
 */
export function parseUrl(url: string, base?: string): URL | null {
  try {
    return new URL(url, base);
  } catch {
    return null;
  }
}
