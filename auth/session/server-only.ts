import { codedTypeError } from './coded-error.ts';

/**
 * Asserts that this is a server: anyone with the app can read everything in it.
 *
 * @throws TypeError with code `ERR_AUTH_PLATFORM`.
 */
export function assertServer(what: string): void {
  const { navigator } = globalThis as { navigator?: { product?: string } };
  // A worker of a browser has no document.
  if (!('document' in globalThis) && !('importScripts' in globalThis) && navigator?.product !== 'ReactNative') return;
  throw codedTypeError(
    'ERR_AUTH_PLATFORM',
    `${what} does not stay secret in a page or an app. Use it on a server, as createSessionServer of appkit-auth-session/server does.`,
  );
}
