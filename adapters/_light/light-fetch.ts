import type { ServerBuild } from '../../runtime/host.ts';
import { LightRequest, withNative } from './light-request.ts';
import { LightResponse } from './light-response.ts';

// The bundles of appkit-build look here, see build/bundle/light-fetch.ts.
const key = Symbol.for('appkit.fetch');

/** What server build code means by `Request`, `Response` and `fetch`. */
type BoundFetch = Pick<typeof globalThis, 'Request' | 'Response' | 'fetch'>;

/**
 * Offers the light classes to the modules of a server build, which are loaded later and may look them up. No global is
 * replaced: other code, such as an external package, has the native classes.
 *
 * @returns whether the modules will have them.
 */
export function offerLightFetch({ manifest }: Pick<ServerBuild, 'manifest'>): boolean {
  // Other runtimes that could run this have classes of their own, which the light ones do not know.
  if (manifest.boundFetch !== true || 'Bun' in globalThis || 'Deno' in globalThis) return false;
  const shared = globalThis as { [key]?: BoundFetch };
  shared[key] ??= own;
  // Otherwise another copy of this package came first, and its Request would refuse our requests.
  return shared[key] === own;
}

const native = { Request: globalThis.Request, Response: globalThis.Response };

const lightFetch = (...args: Parameters<typeof fetch>): Promise<Response> =>
  Reflect.apply(globalThis.fetch, undefined, withNative(args)) as Promise<Response>;
Object.defineProperties(lightFetch, { name: { value: 'fetch' }, length: { value: 1 } });

// Accessors, since bundle code may replace a global, as tests and tracers do: the replacement then counts.
const own: BoundFetch = {
  get Request() {
    return globalThis.Request === native.Request ? LightRequest : globalThis.Request;
  },
  set Request(value) {
    globalThis.Request = value;
  },
  get Response() {
    return globalThis.Response === native.Response ? LightResponse : globalThis.Response;
  },
  set Response(value) {
    globalThis.Response = value;
  },
  get fetch() {
    return lightFetch;
  },
  set fetch(value) {
    globalThis.fetch = value;
  },
};
