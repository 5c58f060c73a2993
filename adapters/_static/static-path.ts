/** The path of a request, if it can be that of a static file. */
export interface StaticPath {
  /** Decoded, without slashes at its ends: `docs/a b.txt`. Empty for the root. */
  name: string;
  /** The path ended in a slash. True for the root. */
  isFolder: boolean;
  /** The path as it was sent. */
  path: string;
  /** The query with its `?`, if any. */
  search: string;
}

/**
 * Reads a request target, or the URL of a request, for static files.
 *
 * @param target – the text after the method: `/a%20b.js?v=1`, or with `http://host` in front of it.
 * @returns undefined if it cannot be a static file: then the routes decide the answer.
 */
export function parseStaticPath(target: string): StaticPath | undefined {
  const [, path = '', search = ''] = /^(?:https?:\/\/[^/?#]*)?(\/[^?#]*)(\?[^#]*)?/i.exec(target) ?? [];
  if (!path) return undefined;

  const isFolder = path.endsWith('/');
  if (path === '/') return { name: '', isFolder, path, search };
  const segments: string[] = [];
  for (const encoded of path.slice(1, isFolder ? -1 : undefined).split('/')) {
    const segment = decode(encoded);
    if (segment === undefined || !isServable(segment, segments.length)) {
      // The URL parser removes these segments, and hosts whose requests have a parsed URL never see them.
      return DOTS.test(path) ? parseStaticPath(new URL(`http://localhost${path}`).pathname + search) : undefined;
    }
    segments.push(segment);
  }
  return { name: segments.join('/'), isFolder, path, search };
}

/** A path with a segment that means its own folder or the one around it. */
const DOTS = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * Whether a file or folder with this name is public. Refuses `.`, `..`, hidden names and separators.
 *
 * @param depth – how many folders it is in. RFC 8615 reserves `.well-known` at the root for public files.
 */
export function isServable(name: string, depth: number): boolean {
  if (!name || /[/\\\0]/.test(name)) return false;
  // Netlify and Cloudflare read these files there, and do not serve them either.
  if (depth === 0 && (name === '_headers' || name === '_redirects')) return false;
  return !name.startsWith('.') || (depth === 0 && name === '.well-known');
}

function decode(segment: string): string | undefined {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined; // malformed: no file has this name, and the routes answer 400
  }
}
