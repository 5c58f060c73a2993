import type { Plugin } from 'vite';

/** The modules of a site that no file holds. */
export const MODULES = {
  /** The entry of the client. */
  client: 'virtual:appkit/client',
  /** What renders pages on the server. */
  server: 'virtual:appkit/server',
  /** The list of the pages, which both import. */
  site: 'virtual:appkit/site',
} as const;

/** The id by which Vite knows one of {@link MODULES}. */
export function toResolvedId(name: string): string {
  return `\0${name}`;
}

/** Gives the modules that no file holds, and has packages found as the bundles of routes find them. */
export function createModulesPlugin({
  client,
  server,
  site,
}: {
  client: string;
  server: string;
  /** Asked anew whenever the module is loaded. */
  site: () => string;
}): Plugin {
  const modules = new Map([
    [toResolvedId(MODULES.client), () => client],
    [toResolvedId(MODULES.server), () => server],
    [toResolvedId(MODULES.site), site],
  ]);
  return {
    name: 'appkit:site',
    enforce: 'pre',
    config: () => ({ resolve: { dedupe: ['react', 'react-dom', 'appkit-router'], tsconfigPaths: true } }),
    // With filters the bundler asks for these modules only, and not for every import of an app.
    resolveId: {
      filter: { id: /^virtual:appkit\// },
      handler: (id) => (modules.has(toResolvedId(id)) ? toResolvedId(id) : undefined),
    },
    load: { filter: { id: /^\0virtual:appkit\// }, handler: (id) => modules.get(id)?.() },
  };
}
