import { HostRequest } from './host-request.ts';

/** The parts of a Request made from one that arrived. */
export interface RequestInitOfHost extends RequestInit {
  method: string;
  duplex: 'half';
}

// In Bun and Deno, a Request does not keep the signal, and a copy that is left alone still follows it.
const keepsSignal = !('Bun' in globalThis) && !('Deno' in globalThis);

const following: unique symbol = Symbol('appkit.following');

/**
 * A Request of any method that can arrive: the constructor refuses some that must be answered, with 405. It follows the signal, and is
 * garbage collected even if a listener of that signal refers to it.
 */
export function createRequest(url: string, init: RequestInitOfHost): Request {
  const { method } = init;
  const controller = init.signal && keepsSignal ? follow(init.signal) : undefined;
  const followed = controller ? { ...init, signal: controller.signal } : init;
  const isForbidden = isForbiddenMethod(method);
  const request = new HostRequest(url, isForbidden ? { ...followed, method: 'GET', body: null } : followed);
  if (isForbidden) Object.defineProperty(request, 'method', { value: method });
  return controller ? Object.defineProperty(request, following, { value: controller }) : request;
}

// undici keeps the signal that its Request is given until the Request is collected, and with it the listeners of the signal: one that
// refers to the Request would keep both forever. No other code has the signal of this controller, which the Request keeps alive.
function follow(signal: AbortSignal): AbortController {
  const controller = new AbortController();
  if (signal.aborted) controller.abort(signal.reason);
  else onAbort(signal, new WeakRef(controller));
  return controller;
}

function onAbort(signal: AbortSignal, controller: WeakRef<AbortController>): void {
  const abort = (): void => controller.deref()?.abort(signal.reason);
  EventTarget.prototype.addEventListener.call(signal, 'abort', abort, { once: true });
}

/** Whether the Request constructor refuses a method: Fetch section 2.2.1. Their bodies are not carried. */
export function isForbiddenMethod(method: string): boolean {
  return /^(?:connect|trace|track)$/i.test(method);
}
