/** The path of an absolute URL, still percent-encoded, as `new URL(url).pathname` returns it, without building a URL. */
export function pathnameOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3);
  if (start === -1) return '/';
  const query = url.indexOf('?', start);
  const fragment = url.indexOf('#', start);
  const end = Math.min(query === -1 ? url.length : query, fragment === -1 ? url.length : fragment);
  return url.slice(start, end);
}

/**
 * The query of an absolute URL with its `?`, as `new URL(url).search` returns it, except for a lone `?`. Empty without
 * a query.
 */
export function searchOf(url: string): string {
  const [beforeFragment = ''] = url.split('#', 1);
  const start = beforeFragment.indexOf('?');
  return start === -1 ? '' : beforeFragment.slice(start);
}

/** Whether every percent-encoding of a path is UTF-8, so that it can be decoded. */
export function isDecodable(pathname: string): boolean {
  if (!pathname.includes('%')) return true;
  try {
    // Compared, since a bundler (rolldown 1.2) drops a call whose result is unused, together with its error.
    return decodeURIComponent(pathname) !== '';
  } catch {
    // The only failure of decodeURIComponent, and the answer to the question.
    return false;
  }
}

/**
 * The path below the mount, or `undefined` when the request is not below it: `..` in the target can lead out of a mount
 * after the framework has chosen it.
 */
export function pathBelow(basePath: string, pathname: string): string | undefined {
  if (basePath === '' || basePath === '/') return pathname;
  if (!pathname.startsWith(basePath)) return undefined;
  const rest = pathname.slice(basePath.length);
  if (rest === '') return '/';
  return rest.startsWith('/') ? rest : undefined;
}

/** The segments of a path, each decoded once, without one optional trailing slash. `/` has none. */
export function toSegments(pathname: string): string[] {
  const path = withoutTrailingSlash(pathname);
  if (path === '/') return [];
  const segments = path.slice(1).split('/');
  return path.includes('%') ? segments.map(decodeURIComponent) : segments;
}

/** A path without its one optional trailing slash. `//` keeps both: an empty segment is not the root. */
export function withoutTrailingSlash(pathname: string): string {
  return pathname.length > 2 && pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
}
