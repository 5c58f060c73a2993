import type { Plugin } from 'vite';

/** The modules of a site that do not exist as files. */
export const MODULES = {
  /** The entry of the client. */
  client: 'virtual:appkit/client',
  /** In development, the only code of a page without a client. */
  reload: 'virtual:appkit/reload',
  /** The entry that renders pages on the server. */
  server: 'virtual:appkit/server',
  /** The entry that an export renders pages with. */
  prerender: 'virtual:appkit/prerender',
  /** The list of the pages. */
  site: 'virtual:appkit/site',
  /** The list of the pages that an export leaves to the server. */
  onRequest: 'virtual:appkit/on-request',
  /** The list of the pages that an export renders. */
  prerendered: 'virtual:appkit/prerendered',
} as const;

/** The id by which Vite knows one of {@link MODULES}. */
export function toResolvedId(name: string): string {
  return `\0${name}`;
}

/**
 * Provides the modules that do not exist as files, and resolves packages as the bundles of routes do.
 *
 * @param codes – by the names of {@link MODULES}. A function is called again whenever the module is loaded.
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
    // With filters, the bundler calls the plugin only for these modules, and not for every import of an app.
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
