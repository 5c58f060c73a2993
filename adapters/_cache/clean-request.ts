import { createRequest, isNative, isSaid, noticesCopies, unnoticed } from '../../runtime/host.ts';

const CONDITIONS = ['if-none-match', 'if-modified-since', 'if-match', 'if-unmodified-since', 'range'];

/** A request for the same URL with nothing from the visitor, except the host and the headers that the answer varies by. */
export function toCleanRequest(
  { url, headers }: Request,
  vary: readonly string[],
  more: readonly [name: string, value: string][] = [],
): Request {
  const own = [...new Set(['host', ...vary])].flatMap((name): [string, string][] => {
    const value = headers.get(name);
    return value === null ? [] : [[name, value]];
  });
  return createRequest(url, { method: 'GET', headers: [...own, ...more], duplex: 'half' });
}

/** Whether a clean request is the better way to make an answer that is known to be the same for all visitors. */
export function isBetterClean(request: Request): boolean {
  return mayHideReads(request) || CONDITIONS.some((name) => request.headers.has(name));
}

/** Whether app code can copy a request, and so read its headers, without being noticed. */
export function mayHideReads(request: Request): boolean {
  return isNative(request) && !noticesCopies();
}

/** Whether a request has headers that the answer may depend on, apart from those that the answer varies by. */
export function hasMore(request: Request, vary: readonly string[]): boolean {
  return unnoticed(request, () => [...request.headers.keys()].some((name) => !isSaid(name, vary, request)));
}
