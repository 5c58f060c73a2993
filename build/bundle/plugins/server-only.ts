import type { Plugin } from 'rolldown';

/** What a module imports to say that it must never be part of the client. */
export const SERVER_ONLY: RegExp = /^(?:appkit-server\/)?server-only$/;

const MODULE = '\0appkit-server-only';

/**
 * Makes the marker an empty module in code of the server, whether or not the package of that name is installed: its own file
 * throws wherever a bundler does not ask for it as React's server components do.
 */
export function createServerOnlyPlugin(): Plugin {
  return {
    name: 'appkit:server-only',
    resolveId: { filter: { id: SERVER_ONLY }, handler: () => MODULE },
    load: {
      filter: { id: new RegExp(`^${MODULE}$`) },
      handler: () => ({ code: 'export {};', moduleType: 'js' }),
    },
  };
}
