import { createRequest, HostRequest } from '../../runtime/host.ts';

const CONDITIONS = ['if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since', 'range'];

/** A request for the same URL without anything of the visitor, except the headers that the answer varies by. */
export function toCleanRequest(
  { url, headers }: Request,
  vary: readonly string[],
  more: readonly [name: string, value: string][] = [],
): Request {
  const own = vary.flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return createRequest(url, { method: 'GET', headers: [...own, ...more], duplex: 'half' });
}

/** Whether to make an answer from a clean request, if that is known to give an answer for all. */
export function isBetterClean(request: Request): boolean {
  return mayHideReads(request) || CONDITIONS.some((name) => request.headers.has(name));
}

/** Whether code of the app can read the cookies of a request unseen: those of a native request, as by `fetch(request)`. */
export function mayHideReads(request: Request): boolean {
  return Object.getPrototypeOf(request) === HostRequest.prototype && request.headers.has('cookie');
}
