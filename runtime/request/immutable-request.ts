import { codedError } from '../http/coded-error.ts';
import { createRequest } from './create-request.ts';
import { headerReadsOf, unnoticed } from './header-reads.ts';
import { trackHeaderReads } from './track-headers.ts';
import type { RequestInitOfHost } from './create-request.ts';
import { quickView } from './quick-request.ts';

/**
 * The request as middleware sees it: a Request like any other, also to `fetch` and `new Request`, whose headers cannot be
 * changed and whose body cannot be taken away from the route. `clone()` returns an ordinary copy of the whole request.
 */
export function toImmutableRequest(request: Request): Request {
  const view = unnoticed(request, () => quickView(request) ?? toView(request));
  const reads = headerReadsOf(request);
  if (reads) trackHeaderReads(view, reads);
  return view;
}

function toView(request: Request): Request {
  const { method, headers, signal } = request;
  const init: RequestInitOfHost = { method, headers, signal, duplex: 'half' };
  if (mayHaveBody(request)) init.body = unreadableBody();
  const view = createRequest(request.url, init);
  refuseChanges(view.headers);
  // Otherwise a second read would say that the body has already been read.
  if (init.body) for (const name of READERS) if (name in view) Object.defineProperty(view, name, { value: refuseBody });
  return Object.defineProperties(view, {
    // Its own signal would follow this one only until it is garbage collected (nodejs/undici#3644).
    signal: { get: () => request.signal },
    clone: { value: () => request.clone(), configurable: true },
  });
}

/** Makes headers that throw when they are changed. */
export function refuseChanges(headers: Headers): Headers {
  return Object.defineProperties(headers, REFUSING);
}

const REFUSING = Object.fromEntries(
  ['set', 'append', 'delete'].map((name): [string, PropertyDescriptor] => [
    name,
    {
      value() {
        throw immutable(`headers.${name}() was called`, 'Use setResponseHeaders() to send headers to the client.');
      },
    },
  ]),
);

// Without reading request.body, which would create a stream on hosts that have not made one yet.
function mayHaveBody({ method, headers }: Request): boolean {
  return method !== 'GET' && method !== 'HEAD' && (headers.has('content-length') || headers.has('transfer-encoding'));
}

/** The methods that read a body. */
export const READERS: readonly string[] = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'];

/** A body for code that reads it as a stream, such as `fetch()`. */
export function unreadableBody(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: refuseBody }, { highWaterMark: 0 });
}

/** Rejects: the body is the route's. */
export async function refuseBody(): Promise<never> {
  throw immutable('its body was read', 'Read a copy: await request.clone().json(), and so on.');
}

function immutable(what: string, hint: string): TypeError {
  return codedError('ERR_REQUEST_IMMUTABLE', `The request of a middleware is immutable, but ${what}. ${hint}`);
}
