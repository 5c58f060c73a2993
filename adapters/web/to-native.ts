import { createRequest, HostRequest } from '../../runtime/host.ts';

const native: unknown = Object.getPrototypeOf(HostRequest.prototype);

/** The Request itself, or a copy of one that only looks like the platform's: servers on Node make such, and its own members would throw there. */
export function toNative(request: Request): Request {
  if (Object.getPrototypeOf(request) === native) return request;
  const { method, url, headers, signal } = request;
  const hasNoBody = method === 'GET' || method === 'HEAD';
  return createRequest(url, { method, headers, signal, body: hasNoBody ? null : request.body, duplex: 'half' });
}
