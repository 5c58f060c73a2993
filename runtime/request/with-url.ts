import { createRequest } from './create-request.ts';
import type { RequestInitOfHost } from './create-request.ts';
import { headerReadsOf, unnoticed } from './header-reads.ts';
import { trackHeaderReads } from './track-headers.ts';

/** The same request for another URL. What is looked at of it is noted as of the first one. */
export function withUrl(request: Request, url: string): Request {
  const rewritten = unnoticed(request, () => {
    const { method, headers, body, signal } = request;
    const init: RequestInitOfHost = { method, headers, body, signal, duplex: 'half' };
    return createRequest(url, init);
  });
  const reads = headerReadsOf(request);
  if (reads) trackHeaderReads(rewritten, reads);
  // Its own would follow the first one only as long as nobody has collected that (nodejs/undici#3644).
  return Object.defineProperty(rewritten, 'signal', { get: () => request.signal });
}
