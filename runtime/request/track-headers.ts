import { findGetter } from './find-getter.ts';
import { HeaderReads, NOTED } from './header-reads.ts';
import { HostRequest, passForNative } from './host-request.ts';
import { noticeCopies } from './notice-copies.ts';

/** Starts recording the reads of a request's headers. The request stays the same object. */
export function trackHeaderReads(request: Request, reads: HeaderReads = new HeaderReads()): HeaderReads {
  const native = findGetter(request, 'headers');
  const { clone } = request;
  const noteAll = (): void => reads.note('*');
  let tracked: Headers | undefined;
  Object.defineProperties(request, {
    [NOTED]: { value: reads },
    headers: {
      get: () => (tracked ??= toTracked(Reflect.apply(native, request, []) as Headers, reads)),
      configurable: true,
      enumerable: true,
    },
    // The headers of a copy are not tracked.
    clone: {
      value: () => {
        noteAll();
        return clone.call(request);
      },
      configurable: true,
      enumerable: true,
    },
  });
  noticeCopies(request, noteAll);
  return reads;
}

let noticed: boolean | undefined;

/** Whether this platform cannot copy a request of its own unnoticed. */
export function noticesCopies(): boolean {
  if (noticed === undefined) {
    const request = new HostRequest('http://localhost/');
    const reads = trackHeaderReads(request);
    // oxlint-disable-next-line no-new -- only to see whether it is noticed
    new Request(request);
    noticed = reads.isAll;
  }
  return noticed;
}

const original: unique symbol = Symbol('appkit.originalHeaders');

/**
 * Headers that the platform does not know as its own, so that its constructors and `fetch()` read them like code does. Bun and Deno copy their own
 * without calling a member.
 */
class TrackedHeaders extends Headers {
  declare [NOTED]: HeaderReads;
  declare [original]: Headers;
}

passForNative(TrackedHeaders, Headers);
for (const name of Reflect.ownKeys(Headers.prototype)) {
  if (name !== 'constructor') forward(name, Object.getOwnPropertyDescriptor(Headers.prototype, name) ?? {});
}

/** Runs a member of the platform on the original headers, and notes what it reads. */
function forward(name: string | symbol, member: PropertyDescriptor): void {
  const kind = member.get ? 'get' : 'value';
  const native = member[kind] as unknown;
  if (typeof native !== 'function') return;
  const value = function (this: TrackedHeaders, ...args: unknown[]): unknown {
    const reads = this[NOTED];
    if (name === 'get' || name === 'has') reads.note(String(args[0]).toLowerCase());
    else if (!CHANGES.has(name)) reads.note('*');
    const headers = this[original];
    // Headers that refuse changes have methods of their own.
    const method: unknown = kind === 'get' ? native : Reflect.get(headers, name);
    const forEach = args[0] as Parameters<Headers['forEach']>[0];
    if (name === 'forEach' && typeof forEach === 'function') {
      return headers.forEach((text, key) => Reflect.apply(forEach, args[1], [text, key, this]));
    }
    return Reflect.apply(method as typeof native, headers, args);
  };
  Object.defineProperties(value, { name: { value: native.name }, length: { value: native.length } });
  Object.defineProperty(TrackedHeaders.prototype, name, { ...member, [kind]: value });
}

const CHANGES: ReadonlySet<string | symbol> = new Set(['append', 'delete', 'set']);

function toTracked(headers: Headers, reads: HeaderReads): Headers {
  const tracked = Object.create(TrackedHeaders.prototype) as TrackedHeaders;
  // Deno finds what it copies through properties of the object.
  for (const key of Object.getOwnPropertySymbols(headers)) {
    const get = (): unknown => {
      reads.note('*');
      return Reflect.get(headers, key);
    };
    Object.defineProperty(tracked, key, { get });
  }
  return Object.defineProperties(tracked, { [NOTED]: { value: reads }, [original]: { value: headers } });
}
