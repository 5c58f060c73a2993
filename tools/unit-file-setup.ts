import { vi } from 'vitest';

// Each test file begins with what a process of its own would have: the first adapter that offers `Request`, `Response` and `fetch` to bundles stays
// the one that does, see adapters/_light/light-fetch.ts, and another file may have created one before.
Reflect.deleteProperty(globalThis, Symbol.for('appkit.fetch'));
// A provider of another file may have had the same port, and its document would be taken for this one's, see auth/session/provider-discovery.ts.
Reflect.deleteProperty(globalThis, Symbol.for('appkit.auth.discovery'));

// A fuse, as vitest.config.ts has for the rest. No setting of Vitest changes that these two give up after a second, and on a busy
// machine a process may be paused for longer.
const FUSE_MS = 120_000;

const { waitFor, waitUntil } = vi;
// The files of a process share it.
if (!('isPatient' in vi)) {
  Object.assign(vi, {
    isPatient: true,
    waitFor: (look: () => unknown, options?: object) => waitFor(look, { timeout: FUSE_MS, ...options }),
    waitUntil: (look: () => unknown, options?: object) => waitUntil(look, { timeout: FUSE_MS, ...options }),
  });
}
