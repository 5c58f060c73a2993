import { findGetter } from './find-getter.ts';
import { HeaderReads, NOTED } from './header-reads.ts';
import type { Noted } from './header-reads.ts';
import { passForNative } from './host-request.ts';

/** Starts recording the reads of a request's headers. The request stays the same object. */
export function trackHeaderReads(request: Request, reads: HeaderReads = new HeaderReads()): HeaderReads {
  const native = findGetter(request, 'headers');
  const { clone } = request;
  let tracked: Headers | undefined;
  Object.defineProperties(request, {
    [NOTED]: { value: reads, configurable: true },
    headers: {
      get: () => (tracked ??= toTracked(Reflect.apply(native, request, []) as Headers, reads)),
      configurable: true,
      enumerable: true,
    },
    // The headers of a copy are not tracked.
    clone: {
      value: () => {
        reads.note('*');
        return clone.call(request);
      },
      configurable: true,
    },
  });
  return reads;
}

class TrackedHeaders extends Headers {}

passForNative(TrackedHeaders, Headers);
for (const name of ['get', 'has']) onCall(name, (reads, [header]) => reads.note(String(header).toLowerCase()));
for (const name of ['forEach', 'entries', 'keys', 'values', Symbol.iterator]) onCall(name, (reads) => reads.note('*'));

/** Runs code before a method of the platform. */
function onCall(name: string | symbol, note: (reads: HeaderReads, args: readonly unknown[]) => void): void {
  const member = Object.getOwnPropertyDescriptor(Headers.prototype, name) as PropertyDescriptor; // each platform has it
  const native = member.value as (...args: unknown[]) => unknown;
  const value = function (this: Headers & Noted, ...args: unknown[]): unknown {
    const reads = this[NOTED];
    if (reads) note(reads, args);
    return Reflect.apply(native, this, args);
  };
  Object.defineProperties(value, { name: { value: native.name }, length: { value: native.length } });
  Object.defineProperty(TrackedHeaders.prototype, name, { ...member, value });
}

function toTracked(headers: Headers, reads: HeaderReads): Headers {
  Object.defineProperty(headers, NOTED, { value: reads });
  return Object.setPrototypeOf(headers, TrackedHeaders.prototype) as Headers;
}
