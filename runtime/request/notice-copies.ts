import { findGetter } from './find-getter.ts';
import { HostRequest, reporterOf } from './host-request.ts';
import { toHostSignal } from './host-signal.ts';

// The constructor of a Request copies another without calling a member of it, and so does fetch(). But the signal of the copy has to follow that of
// the first, and where platforms connect the two can be seen: Node calls addEventListener() of the signal, and Deno reads a property of the request.
// Bun reads the member `headers`. Nothing can be seen on Cloudflare.

/** Calls a function whenever the platform copies a request. */
export function noticeCopies(request: Request, onCopy: () => void): void {
  if (!isNative(request) || 'Bun' in globalThis) return;
  const ofDeno = Object.getOwnPropertySymbols(request).find(({ description }) => description === 'signalCache');
  if (ofDeno) noticeReads(request, ofDeno, onCopy);
  else noticeFollowers(request, onCopy);
}

/** Whether a request is the platform's own, not a light one. */
export function isNative(request: Request): boolean {
  return Object.getPrototypeOf(request) === HostRequest.prototype;
}

function noticeReads(request: Request, key: symbol, onCopy: () => void): void {
  const members = request as unknown as Record<symbol, unknown>;
  let value = members[key];
  let isOurs = false;
  Object.defineProperty(request, key, {
    get() {
      if (!isOurs) onCopy();
      return value;
    },
    set(changed) {
      value = changed;
    },
  });
  showSignal(request, () => {
    isOurs = true;
    try {
      return Reflect.apply(findGetter(HostRequest.prototype, 'signal'), request, []) as AbortSignal;
    } finally {
      isOurs = false;
    }
  });
}

function noticeFollowers(request: Request, onCopy: () => void): void {
  const signal = Reflect.apply(findGetter(Request.prototype, 'signal'), request, []) as AbortSignal | undefined;
  if (!signal) return;
  // Another release of this module in the process may have replaced it.
  const listen: AbortSignal['addEventListener'] = signal.addEventListener.bind(signal);
  Object.defineProperty(signal, 'addEventListener', {
    value(...args: Parameters<AbortSignal['addEventListener']>) {
      onCopy();
      listen(...args);
    },
    configurable: true,
  });
  // Code that listens to the signal is given another one, so that it does not look like a copy.
  let seen: AbortSignal | undefined;
  showSignal(request, () => (seen ??= toFollower(signal, listen, request)));
}

function toFollower(signal: AbortSignal, listen: AbortSignal['addEventListener'], request: Request): AbortSignal {
  const follower = new AbortController();
  if (signal.aborted) follower.abort(signal.reason);
  else listen('abort', () => follower.abort(signal.reason), { once: true });
  const report = reporterOf(request);
  return report ? toHostSignal(follower.signal, request, report) : follower.signal;
}

function showSignal(request: Request, get: () => AbortSignal): void {
  // Its signal may already be another than that of the platform.
  if (!Object.hasOwn(request, 'signal')) {
    Object.defineProperty(request, 'signal', { get, configurable: true, enumerable: true });
  }
}
