import { createRequest } from './create-request.ts';
import type { RequestInitOfHost } from './create-request.ts';
import { headerReadsOf, unnoticed } from './header-reads.ts';
import { trackHeaderReads } from './track-headers.ts';

/**
 * The same request for another URL. Reads of it are recorded as reads of the first one.
 *
 * @param options – `hasBody`: whether it has the body too. Default: `true`.
 */
export function withUrl(request: Request, url: string, { hasBody = true }: { hasBody?: boolean } = {}): Request {
  const rewritten = unnoticed(request, () => {
    const { method, headers, signal } = request;
    const body = hasBody ? request.body : null;
    const init: RequestInitOfHost = { method, headers, body, signal, duplex: 'half' };
    return createRequest(url, init);
  });
  const reads = headerReadsOf(request);
  if (reads) trackHeaderReads(rewritten, reads);
  // Its own signal would follow the first one only until that is garbage collected (nodejs/undici#3644).
  return Object.defineProperty(rewritten, 'signal', { get: () => request.signal });
}
