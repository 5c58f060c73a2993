import type { Plugin } from 'rolldown';

/** Entries that other modules import, by index, with the names they export if they are ES modules. */
export type SharedRoutes = Map<number, readonly string[] | 'CommonJS'>;

/** Marks the stand-in module of a route. */
const STANDIN = '\0appkit-route:';

/**
 * Makes a stand-in the entry of a route that other modules import: the route itself is then in a chunk, like everything
 * that is shared. Otherwise its importers' chunks would import a file by the bundler's name for it, and find only the
 * default export of a CommonJS one (rolldown 1.2).
 */
export function createSharedRoutesPlugin(sources: readonly string[], sharedRoutes: SharedRoutes): Plugin | undefined {
  if (sharedRoutes.size === 0) return undefined;
  const bySource = new Map(sources.map((source, index) => [source, index]));
  return {
    name: 'appkit:shared-routes',
    resolveId(id, importer) {
      const index = importer === undefined ? bySource.get(id) : undefined;
      return index !== undefined && sharedRoutes.has(index) ? { id: STANDIN + index } : null;
    },
    load: {
      filter: { id: new RegExp(`^${STANDIN}`) },
      handler(id) {
        const index = Number(id.slice(STANDIN.length));
        const source = JSON.stringify(sources[index]);
        const names = sharedRoutes.get(index) ?? [];
        if (names === 'CommonJS') return { code: `module.exports = require(${source});`, moduleType: 'js' };
        const named = names.includes('default') ? `export { default } from ${source};` : '';
        return { code: `export * from ${source};${named}`, moduleType: 'js' };
      },
    },
  };
}
