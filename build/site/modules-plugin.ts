import type { Plugin } from 'vite';

/** The modules of a site that no file holds. */
export const MODULES = {
  /** The entry of the client. */
  client: 'virtual:appkit/client',
  /** The entry of what renders pages on the server. */
  server: 'virtual:appkit/server',
  /** The entry of what an export renders pages with. */
  prerender: 'virtual:appkit/prerender',
  /** The list of the pages. */
  site: 'virtual:appkit/site',
  /** The list of those that an export leaves to the server. */
  onRequest: 'virtual:appkit/on-request',
  /** The list of those that an export renders. */
  prerendered: 'virtual:appkit/prerendered',
} as const;

/** The id by which Vite knows one of {@link MODULES}. */
export function toResolvedId(name: string): string {
  return `\0${name}`;
}

/**
 * Gives the modules that no file holds, and has packages found as the bundles of routes find them.
 *
 * @param codes – by the names of {@link MODULES}. One that is a function is asked again whenever the module is loaded.
 */
export function createModulesPlugin(codes: Partial<Record<keyof typeof MODULES, string | (() => string)>>): Plugin {
  const modules = new Map(
    Object.entries(MODULES).flatMap(([key, name]) => {
      const code = codes[key as keyof typeof MODULES];
      return code === undefined ? [] : [[toResolvedId(name), code] as const];
    }),
  );
  return {
    name: 'appkit:site',
    enforce: 'pre',
    config: () => ({ resolve: { dedupe: ['react', 'react-dom', 'appkit-router'], tsconfigPaths: true } }),
    // With filters the bundler asks for these modules only, and not for every import of an app.
    resolveId: {
      filter: { id: /^virtual:appkit\// },
      handler: (id) => (modules.has(toResolvedId(id)) ? toResolvedId(id) : undefined),
    },
    load: {
      filter: { id: /^\0virtual:appkit\// },
      handler(id) {
        const code = modules.get(id);
        return typeof code === 'function' ? code() : code;
      },
    },
  };
}
