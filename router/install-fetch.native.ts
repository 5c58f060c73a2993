import { createNativeFetch } from './native-fetch.ts';
import { getServerPlace } from './server-place.native.ts';

// A development server may run this module again.
const INSTALLED = Symbol.for('appkit.fetch');
const global: typeof globalThis & { [INSTALLED]?: true } = globalThis;

if (!global[INSTALLED]) {
  global.fetch = createNativeFetch({ fetch: global.fetch, getPlace: getServerPlace });
  global[INSTALLED] = true;
}
