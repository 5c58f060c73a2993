import { createHash } from 'node:crypto';
import path from 'node:path';

import type { ModuleInfo, Plugin } from 'rolldown';

import { findPackageOf } from '../packages/package-of.ts';
import { toProjectPath, toSlashes } from '../app/project-path.ts';
import { findRelaying } from './plugins/relayed-exports.ts';
import { toFacadeEntry } from './server-chunks.ts';

/** A module of the routes that pages can import from them. */
export interface ShareableModule {
  /** The absolute path, as Vite writes it. */
  id: string;
  /** Its exports, with `*` for an `export *` of another module. Unknown for a CommonJS module. */
  exports: readonly string[] | 'CommonJS';
}

const FACADE = '\0appkit-facade:';

/** Packages of which the site has its own copy, together with everything that imports them. */
const OF_THE_SITE = new Set(['react', 'react-dom', 'scheduler', 'appkit-router']);
/** What means something different to Vite than to the bundler of the routes. */
const READS_SITE = /\bimport\.meta\b(?!\.(?:url|dirname|filename|resolve)\b)|\bAPPKIT_PUBLIC_/;

/**
 * Finds the modules that pages can import from the routes: those that mean the same in both and import nothing else.
 */
export function findShareable(
  modules: ReadonlyMap<string, ModuleInfo>,
  bundled: ReadonlySet<string>,
): ShareableModule[] {
  const refused = findRelaying(modules).all;
  const known = new Map<string, boolean>();
  for (const [id, { code }] of modules) if (isOfSite(id, known) || READS_SITE.test(code ?? '')) refused.add(id);
  // Items added while the loop runs are visited as well.
  for (const id of refused) {
    const info = modules.get(id);
    for (const importer of [...(info?.importers ?? []), ...(info?.dynamicImporters ?? [])]) refused.add(importer);
  }
  return [...modules].flatMap(([id, { exports, inputFormat }]) => {
    const isOwn = bundled.has(id) && path.isAbsolute(id) && /\.[cm]?[jt]sx?$/.test(id);
    if (!isOwn || refused.has(id)) return [];
    return [{ id: toSlashes(id), exports: inputFormat === 'cjs' ? 'CommonJS' : exports }];
  });
}

/** The name of the chunk that provides a module to pages: it is stable while the module keeps its path. */
export function toFacadeName(projectRoot: string, id: string): string {
  return `of-${createHash('sha256').update(toProjectPath(projectRoot, id)).digest('hex').slice(0, 16)}`;
}

/** The inputs that {@link createFacadePlugin} needs. */
export function toFacadeInputs(projectRoot: string, shared: readonly ShareableModule[]): Record<string, string> {
  return Object.fromEntries(
    shared.map(({ id }, index) => [toFacadeEntry(toFacadeName(projectRoot, id)), `${FACADE}${index}`]),
  );
}

/** Makes an entry for each module that pages import from the routes. It only re-exports what the module exports. */
export function createFacadePlugin(shared: readonly ShareableModule[]): Plugin | undefined {
  if (shared.length === 0) return undefined;
  const filter = { id: new RegExp(`^${FACADE}`) };
  return {
    name: 'appkit:facades',
    resolveId: { filter, handler: (id) => ({ id }) },
    load: {
      filter,
      handler(id) {
        const module = shared[Number(id.slice(FACADE.length))];
        return module ? { code: passOn(module, module.id), moduleType: 'js' } : null;
      },
    },
  };
}

/** Code that re-exports a module's exports from where it is. */
export function passOn({ exports }: ShareableModule, from: string): string {
  const source = JSON.stringify(from);
  if (exports === 'CommonJS') return `module.exports = require(${source});`;
  const names = exports
    .filter((name) => name !== '*')
    .map((name) => (/^[\w$]+$/.test(name) ? name : JSON.stringify(name)));
  const star = exports.includes('*') ? `export * from ${source};` : '';
  // Imported without a name, for its side effects.
  return `import ${source};export { ${names.join(', ')} } from ${source};${star}`;
}

/** Whether a module belongs to a package of which pages have their own copy. Many modules share a folder. */
function isOfSite(id: string, known: Map<string, boolean>): boolean {
  if (!path.isAbsolute(id)) return false;
  const folder = path.dirname(id);
  const isSite = known.get(folder) ?? OF_THE_SITE.has(findPackageOf(id)?.name ?? '');
  known.set(folder, isSite);
  return isSite;
}
