import { isNoneMatch } from '../../runtime/host.ts';
import type { KeptAnswer } from './kept-answer.ts';

/** Creates a Response from bytes that are available at once, if the host has such a class. */
export type ResponseClass = new (body: Uint8Array | null, init: ResponseInit) => Response;

/** A kept answer in the form in which it is sent, or a 304 if the client already has it. */
export function toResponse(kept: KeptAnswer, request: Request, Response: ResponseClass): Response {
  const age = Math.max(0, Math.floor((Date.now() - kept.madeAtMs) / 1000));
  const own: [string, string][] = [
    ['age', String(age)],
    // RFC 9211.
    ['cache-status', `appkit; hit; ttl=${kept.fresh - age}`],
  ];
  const headers = Object.fromEntries([...kept.headers, ...own]);
  if (!isNotModified(kept, request.headers)) {
    const hasBody = kept.body.byteLength > 0;
    return new Response(hasBody ? kept.body : null, { status: kept.status, statusText: kept.statusText, headers });
  }
  for (const name of ['content-type', 'content-length', 'content-encoding', 'last-modified']) delete headers[name];
  return new Response(null, { status: 304, headers });
}

/** An answer that is still being streamed, for one more client. */
export function toStreamedResponse(
  { status, statusText, headers }: Pick<KeptAnswer, 'status' | 'statusText' | 'headers'>,
  body: ReadableStream<Uint8Array>,
): Response {
  // RFC 9211 section 2.6: this request has made no other.
  const own: [string, string] = ['cache-status', 'appkit; fwd=miss; collapsed'];
  return new globalThis.Response(body, { status, statusText, headers: [...headers, own] });
}

// RFC 9110 section 13.2.2.
function isNotModified(kept: KeptAnswer, headers: Headers): boolean {
  if (kept.status !== 200) return false;
  const valueOf = (name: string): string | undefined => kept.headers.find(([one]) => one === name)?.[1];
  const noneMatch = headers.get('if-none-match');
  if (noneMatch !== null) return isNoneMatch(noneMatch, valueOf('etag') ?? '');
  const since = Date.parse(headers.get('if-modified-since') ?? '');
  return Date.parse(valueOf('last-modified') ?? '') <= since;
}
