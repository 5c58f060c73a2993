/** Says what has failed, from what `onError` is called with: a request, a made-up one of a job, or what nothing has handled. */
export function describeFailure({ method, url }: { method: string; url: string }): string {
  const { protocol, pathname } = new URL(url, 'http://localhost');
  if (protocol === 'unhandled:') return 'An unhandled error. In production it may end the process.';
  return protocol === 'job:' ? `The job ${toName(pathname)} failed.` : `${method} ${pathname} failed.`;
}

/** The name of a job, which may contain a `%` itself. */
function toName(pathname: string): string {
  try {
    return decodeURI(pathname);
  } catch {
    return pathname;
  }
}
