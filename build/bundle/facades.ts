import { createHash } from 'node:crypto';
import path from 'node:path';

import type { ModuleInfo, Plugin } from 'rolldown';

import { findPackageOf } from '../packages/package-of.ts';
import { toProjectPath } from '../app/project-path.ts';
import { findRelaying } from './plugins/relayed-exports.ts';

/** A module of the routes that pages can have from them. */
export interface ShareableModule {
  id: string;
  /** What it exports, with `*` for what it passes on of another; that of a CommonJS module is not known. */
  exports: readonly string[] | 'CommonJS';
}

const FACADE = '\0appkit-facade:';

/** Packages of which the site has its own copy, as it has of everything that imports them. */
const OF_THE_SITE = new Set(['react', 'react-dom', 'scheduler', 'appkit-router']);
/** What Vite gives another meaning than the bundler of routes. */
const READS_SITE = /\bimport\.meta\b(?!\.(?:url|dirname|filename|resolve)\b)|\bAPPKIT_PUBLIC_/;

/** Finds what pages can have from the routes: whatever means the same in both, and imports nothing else. */
export function findShareable(
  modules: ReadonlyMap<string, ModuleInfo>,
  bundled: ReadonlySet<string>,
): ShareableModule[] {
  const refused = findRelaying(modules).all;
  const known = new Map<string, boolean>();
  for (const [id, { code }] of modules) if (isOfSite(id, known) || READS_SITE.test(code ?? '')) refused.add(id);
  // What is added while the loop runs is visited as well.
  for (const id of refused) {
    const info = modules.get(id);
    for (const importer of [...(info?.importers ?? []), ...(info?.dynamicImporters ?? [])]) refused.add(importer);
  }
  return [...modules].flatMap(([id, { exports, inputFormat }]) => {
    const isOwn = bundled.has(id) && path.isAbsolute(id) && /\.[cm]?[jt]sx?$/.test(id);
    if (!isOwn || refused.has(id)) return [];
    return [{ id, exports: inputFormat === 'cjs' ? 'CommonJS' : exports }];
  });
}

/** The name of the chunk that gives a module to pages: the same for as long as the module has its place. */
export function toFacadeName(projectRoot: string, id: string): string {
  return `of-${createHash('sha256').update(toProjectPath(projectRoot, id)).digest('hex').slice(0, 16)}`;
}

/** The inputs that {@link createFacadePlugin} needs. */
export function toFacadeInputs(projectRoot: string, shared: readonly ShareableModule[]): Record<string, string> {
  return Object.fromEntries(shared.map(({ id }, index) => [toFacadeName(projectRoot, id), `${FACADE}${index}`]));
}

/** Makes an entry for each module that pages have from the routes. It only passes on what the module exports. */
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

/** Code that exports what a module does, from wherever that is. */
export function passOn({ exports }: ShareableModule, from: string): string {
  const source = JSON.stringify(from);
  if (exports === 'CommonJS') return `module.exports = require(${source});`;
  const names = exports
    .filter((name) => name !== '*')
    .map((name) => (/^[\w$]+$/.test(name) ? name : JSON.stringify(name)));
  const star = exports.includes('*') ? `export * from ${source};` : '';
  // With no name, for what it does when it is evaluated.
  return `import ${source};export { ${names.join(', ')} } from ${source};${star}`;
}

/** Answers whether a module is of a package that pages have of their own. Many modules are in the same folder. */
function isOfSite(id: string, known: Map<string, boolean>): boolean {
  if (!path.isAbsolute(id)) return false;
  const folder = path.dirname(id);
  const isSite = known.get(folder) ?? OF_THE_SITE.has(findPackageOf(id)?.name ?? '');
  known.set(folder, isSite);
  return isSite;
}
