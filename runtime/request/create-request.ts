import { HostRequest } from './host-request.ts';

/** The parts of a Request made from one that arrived. */
export interface RequestInitOfHost extends RequestInit {
  method: string;
  duplex: 'half';
}

/** A Request of any method that can arrive: the constructor refuses some that must be answered, with 405. */
export function createRequest(url: string, init: RequestInitOfHost): Request {
  if (!isForbiddenMethod(init.method)) return new HostRequest(url, init);
  const request = new HostRequest(url, { ...init, method: 'GET', body: null });
  return Object.defineProperty(request, 'method', { value: init.method });
}

/** Whether the Request constructor refuses a method: Fetch section 2.2.1. Their bodies are not carried. */
export function isForbiddenMethod(method: string): boolean {
  return /^(?:connect|trace|track)$/i.test(method);
}
