import { noteWholeRead } from '../../runtime/host.ts';

// The bundles of appkit-build look here, see build/bundle/light-fetch.ts.
const key = Symbol.for('appkit.fetch');

/** What server build code means by `Request`, `Response` and `fetch`. */
type BoundFetch = Pick<typeof globalThis, 'Request' | 'Response' | 'fetch'>;

const Native = globalThis.Request;

const NotedRequest: typeof Request = new Proxy(Native, {
  construct(target, args, newTarget) {
    noteRequests(args);
    return Reflect.construct(target, args, newTarget === NotedRequest ? target : newTarget);
  },
});

const notedFetch = (...args: Parameters<typeof fetch>): Promise<Response> => {
  noteRequests(args);
  return globalThis.fetch(...args);
};
Object.defineProperties(notedFetch, { name: { value: 'fetch' }, length: { value: 1 } });

/**
 * Offers a `Request` and a `fetch` that note which requests they copy to the modules of a server build, for platforms where copies cannot be noticed
 * otherwise. No global is replaced. A build with the option `strictFetch` does not look them up.
 */
export function offerNotedFetch(): void {
  (globalThis as { [key]?: BoundFetch })[key] ??= bound;
}

// A request may also be the second argument.
function noteRequests(args: readonly unknown[]): void {
  for (const value of args) if (typeof value === 'object' && value !== null) noteWholeRead(value);
}

// Accessors, since bundle code may replace a global, as tests and tracers do: the replacement then counts.
const bound: BoundFetch = {
  get Request() {
    return globalThis.Request === Native ? NotedRequest : globalThis.Request;
  },
  set Request(value) {
    globalThis.Request = value;
  },
  get Response() {
    return globalThis.Response;
  },
  set Response(value) {
    globalThis.Response = value;
  },
  get fetch() {
    return notedFetch;
  },
  set fetch(value) {
    globalThis.fetch = value;
  },
};
