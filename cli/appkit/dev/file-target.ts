/** Writes a request target as a host of files reads it: to such a host, a malformed path is one without a file. A server refuses it. */
export function toFileTarget(target: string): string {
  const [path = ''] = target.split(/[?#]/, 1);
  return path.split('/').map(toWellFormed).join('/') + target.slice(path.length);
}

function toWellFormed(segment: string): string {
  try {
    decodeURIComponent(segment);
    return segment;
  } catch {
    return segment.replaceAll('%', '%25');
  }
}
