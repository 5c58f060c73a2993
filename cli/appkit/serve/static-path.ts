/** The path of a request as decoded segments, in the form a static file can have. */
export interface StaticPath {
  /** None is empty, `.`, `..`, hidden, or contains a separator. */
  segments: string[];
  /** The path ended in a slash. The root does. */
  isFolder: boolean;
  /** The query with its `?`, or nothing. */
  search: string;
}

/**
 * Reads a request target for static files.
 *
 * @param target – what stands after the method: `/a%20b.js?v=1`, or with `http://host` in front of it.
 * @returns nothing when no static file can be meant: the handler decides what to answer.
 */
export function parseStaticPath(target: string): StaticPath | undefined {
  const [, path = '', search = ''] = /^(?:https?:\/\/[^/?#]*)?(\/[^?#]*)(\?[^#]*)?/i.exec(target) ?? [];
  if (!path) return undefined;

  const isFolder = path.endsWith('/');
  const encoded = path === '/' ? [] : path.slice(1, isFolder ? -1 : undefined).split('/');
  const segments = encoded.map(decode);
  if (!segments.every(isServable)) return undefined;
  return { segments, isFolder, search };

  function isServable(segment: string | undefined, index: number): segment is string {
    if (!segment || /[/\\\0]/.test(segment)) return false;
    // Also refuses `.` and `..`. RFC 8615 keeps /.well-known for files the public is meant to read.
    return !segment.startsWith('.') || (index === 0 && segment === '.well-known');
  }
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined; // malformed: no file is called that, and the handler answers 400
  }
}
