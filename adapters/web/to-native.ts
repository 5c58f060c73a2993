import { createRequest, HostRequest } from '../../runtime/host.ts';
import { bodyOf } from '../_http/consumed-body.ts';

const nativeRequest: unknown = Object.getPrototypeOf(HostRequest.prototype);
const nativeResponse: unknown = Response.prototype;

// Servers on Node create Requests and Responses that only look like the platform's: the platform's members throw on
// them.

/** The Request itself, or a copy of a lookalike. `undefined` for a lookalike with a URL that no Request can have. */
export function toNative(request: Request): Request | undefined {
  if (Object.getPrototypeOf(request) === nativeRequest) return request;
  const { method, headers, signal } = request;
  const url = URL.parse(request.url);
  if (!url || url.username || url.password) return undefined;
  const hasNoBody = method === 'GET' || method === 'HEAD';
  return createRequest(url.href, { method, headers, signal, body: hasNoBody ? null : bodyOf(request), duplex: 'half' });
}

/**
 * The Response itself, or a copy of a lookalike, as returned by frameworks built for Node: Deno does not send those.
 */
export function toOwn(response: Response): Response {
  if (Object.getPrototypeOf(response) === nativeResponse) return response;
  const { status, statusText, headers, body } = response;
  return new Response(body, { status, statusText, headers: [...headers] });
}
