import type { Plugin } from 'rolldown';

/** The marker that a module imports when it must never be part of the client. */
export const SERVER_ONLY: RegExp = /^(?:appkit-server\/)?server-only$/;

const MODULE = '\0appkit-server-only';

/**
 * Makes the marker an empty module in server code, whether or not the package of that name is installed: the package's
 * own file throws unless a bundler resolves it with the condition of React's server components.
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
