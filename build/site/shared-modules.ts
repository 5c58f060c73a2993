import path from 'node:path';

import type { Plugin } from 'vite';

import { passOn, toFacadeName } from '../bundle/facades.ts';
import type { ShareableModule } from '../bundle/facades.ts';

/** Stands between an import of a page and the chunk of the routes. */
const WRAPPED = '\0appkit-shared:';
/** What a chunk is called until it is written: as long as the way there from what renders pages, so that mappings stay true. */
const PLACEHOLDER = '@@/chunks/';
const WAY = '../chunks/';

/**
 * Lets what renders pages have from the chunks of the routes what both import, so that a module is evaluated once in a process.
 *
 * @param options – `shareable` has the modules of the routes by their ids. `used` receives those that pages import.
 */
export function createSharedModulesPlugin({
  projectRoot,
  shareable,
  used,
  isPage,
}: {
  projectRoot: string;
  shareable: ReadonlyMap<string, ShareableModule>;
  used: Set<ShareableModule>;
  isPage: (file: string) => boolean;
}): Plugin {
  const stems = new Set([...shareable.keys()].flatMap(toStems));
  const toPlace = (id: string): string => `${PLACEHOLDER}${toFacadeName(projectRoot, id)}.js`;
  return {
    name: 'appkit:shared-modules',
    enforce: 'pre',
    applyToEnvironment: ({ config }) => config.consumer === 'server',
    resolveId: {
      order: 'pre',
      // Most imports of pages are of these, which are never shared.
      filter: { id: /^(?!(?:react|react-dom|appkit-router)(?:\/|$)|virtual:|\0)/ },
      async handler(id, importer, options) {
        if (id.startsWith(PLACEHOLDER)) return { id, external: true };
        if (importer === undefined || (id.startsWith('.') && !canMean(id, stems))) return null;
        const resolved = await this.resolve(id, importer, { ...options, skipSelf: true });
        const module = resolved?.external ? undefined : shareable.get(resolved?.id ?? '');
        if (!module || isPage(module.id)) return resolved;
        used.add(module);
        // An ES module that is loaded with `require` would be taken for CommonJS by a page of a `"type": "module"` folder: exporting
        // again keeps the two apart. And `import()` of what is outside would stay one, which not every host can do.
        const isWrapped = module.exports !== 'CommonJS' || options.kind === 'dynamic-import';
        return isWrapped ? { id: WRAPPED + module.id } : { id: toPlace(module.id), external: true };
      },
    },
    load: {
      filter: { id: new RegExp(`^${WRAPPED}`) },
      handler(id) {
        const module = shareable.get(id.slice(WRAPPED.length));
        return module ? { code: passOn(module, toPlace(module.id)), moduleType: 'js' } : null;
      },
    },
  };
}

/** The names by which a relative import can end that means a file: its own, and that of its folder if it is an index. */
function toStems(file: string): string[] {
  const stem = path.basename(file).replace(/\.\w+$/, '');
  return stem === 'index' ? [stem, path.basename(path.dirname(file))] : [stem];
}

/** Answers whether a relative import can mean one of the files that have these names. */
function canMean(specifier: string, stems: ReadonlySet<string>): boolean {
  const name = path.posix.basename(specifier);
  return /(?:^|\/)\.{0,2}$/.test(specifier) || stems.has(name) || stems.has(name.replace(/\.\w+$/, ''));
}

/** Writes the way to chunks into code that renders pages, or into what it asks for. */
export function toChunkWays(text: string): string {
  return text.replaceAll(`${PLACEHOLDER}of-`, `${WAY}of-`);
}
