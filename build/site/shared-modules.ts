import path from 'node:path';

import type { Plugin } from 'vite';

import { passOn, toFacadeName } from '../bundle/facades.ts';
import type { ShareableModule } from '../bundle/facades.ts';

/** The stand-in for an ES module: its exports, by their names. */
const WRAPPED = '\0appkit-shared:';
/**
 * What a stand-in reads, and what a CommonJS module is for pages: a CommonJS module that loads the routes' chunk. An
 * external import would run before everything else in its file, and an external `import()` would stay one, which not
 * every host supports.
 */
const LOADED = '\0appkit-loaded:';
/**
 * A chunk's placeholder name until it is written: as long as the path to it from the code that renders pages, so that
 * mappings stay correct.
 */
const PLACEHOLDER = '@@/chunks/';
const WAY = '../chunks/';

/**
 * Lets the code that renders pages import shared modules from the routes' chunks, so that a module is evaluated once
 * per process.
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
      // Most imports of pages match these, which are never shared.
      filter: { id: /^(?!(?:react|react-dom|appkit-router)(?:\/|$)|virtual:|\0)/ },
      async handler(id, importer, options) {
        if (id.startsWith(PLACEHOLDER)) {
          return importer?.startsWith(WRAPPED) ? { id: LOADED + id } : { id, external: true };
        }
        if (importer === undefined || (id.startsWith('.') && !canMean(id, stems))) return null;
        const resolved = await this.resolve(id, importer, { ...options, skipSelf: true });
        const module = resolved?.external ? undefined : shareable.get(resolved?.id ?? '');
        if (!module || isPage(module.id)) return resolved;
        used.add(module);
        // A page in a `"type": "module"` folder would treat an ES module that it loads with `require` as CommonJS:
        // re-exporting keeps the two apart.
        return { id: module.exports === 'CommonJS' ? LOADED + toPlace(module.id) : WRAPPED + module.id };
      },
    },
    load: {
      filter: { id: new RegExp(`^(?:${WRAPPED}|${LOADED})`) },
      handler(id) {
        if (id.startsWith(LOADED)) {
          return { code: `module.exports = require(${JSON.stringify(id.slice(LOADED.length))});`, moduleType: 'js' };
        }
        const module = shareable.get(id.slice(WRAPPED.length));
        return module ? { code: passOn(module, toPlace(module.id)), moduleType: 'js' } : null;
      },
    },
  };
}

/** The last segments of relative imports that can mean a file: its own name, and its folder's if it is an index. */
function toStems(file: string): string[] {
  const stem = path.basename(file).replace(/\.\w+$/, '');
  return stem === 'index' ? [stem, path.basename(path.dirname(file))] : [stem];
}

/** Whether a relative import can mean a file with one of these names. */
function canMean(specifier: string, stems: ReadonlySet<string>): boolean {
  const name = path.posix.basename(specifier);
  return /(?:^|\/)\.{0,2}$/.test(specifier) || stems.has(name) || stems.has(name.replace(/\.\w+$/, ''));
}

/** Writes the paths of chunks into the code that renders pages, or into the code it loads. */
export function toChunkWays(text: string): string {
  return text.replaceAll(`${PLACEHOLDER}of-`, `${WAY}of-`);
}
