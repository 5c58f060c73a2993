import path from 'node:path';

import type { ModuleInfo, Plugin } from 'rolldown';

/**
 * Modules that re-export something external with `export *`, and the dynamically imported ones among them. The bundler
 * (rolldown 1.2) loses such exports when a dynamically imported module relays them.
 */
export interface Relays {
  /** Modules that import the external modules they re-export. */
  sources: Set<string>;
  /** Dynamically imported modules that re-export something external, however indirectly. */
  later: Set<string>;
}

/** A module between another one and the external module that it re-exports. */
const BETWEEN = '\0appkit-outside:';
/** The entry that statically imports what is imported dynamically. It is not part of the output. */
const ANCHOR = '\0appkit-anchor';
export const ANCHOR_NAME = 'anchor';

/** An `export *` with the path or the name that it re-exports. */
const RELAYS = /\bexport\s*\*\s*from\s*(?:'([^']*)'|"([^"]*)")/g;

/** Finds the modules that {@link createRelayPlugin} has to handle. */
export function findRelays(modules: ReadonlyMap<string, ModuleInfo>): Relays {
  const { sources, all } = findRelaying(modules);
  const later = [...all].filter((id) => (modules.get(id)?.dynamicImporters.length ?? 0) > 0);
  return { sources, later: new Set(later) };
}

/** Finds the modules that re-export something external: directly, and all. */
export function findRelaying(modules: ReadonlyMap<string, ModuleInfo>): { sources: Set<string>; all: Set<string> } {
  const passing = new Map([...modules].filter(([, info]) => info.exports.includes('*')));
  const sources = new Set([...passing].filter(([, info]) => relaysOutside(info)).map(([id]) => id));
  const all = new Set(sources);
  for (let size = 0; size < all.size;) {
    size = all.size;
    for (const [id, info] of passing) if (info.importedIds.some((other) => all.has(other))) all.add(id);
  }
  return { sources, all };
}

/**
 * Makes the bundler keep all exports of these modules in an object: an additional entry imports the dynamically
 * imported ones statically, and external modules are read through a CommonJS module.
 */
export function createRelayPlugin({ sources, later }: Relays): Plugin | undefined {
  if (later.size === 0) return undefined;
  return {
    name: 'appkit:relayed-exports',
    async resolveId(id, importer, { kind }) {
      if (id === ANCHOR) return { id };
      if (importer?.startsWith(BETWEEN)) return { id, external: true };
      if (importer === undefined || kind !== 'import-statement' || !sources.has(importer)) return null;
      const resolved = await this.resolve(id, importer, { kind, skipSelf: true });
      return resolved?.external ? { id: BETWEEN + resolved.id } : null;
    },
    load: {
      filter: { id: new RegExp(`^(?:${BETWEEN}|${ANCHOR}$)`) },
      handler(id) {
        if (id !== ANCHOR) {
          return { code: `module.exports = require(${JSON.stringify(id.slice(BETWEEN.length))});`, moduleType: 'js' };
        }
        const lines = [...later].map(
          (module, index) => `import * as all${index} from ${JSON.stringify(module)}; export { all${index} };`,
        );
        return { code: lines.join('\n'), moduleType: 'js' };
      },
    },
  };
}

/** The input that {@link createRelayPlugin} needs. */
export function toAnchorInput({ later }: Relays): Record<string, string> {
  return later.size === 0 ? {} : { [ANCHOR_NAME]: ANCHOR };
}

/** Whether an `export *` of a module re-exports something external, and not only another import of it. */
function relaysOutside({ code, exports, importedIds }: ModuleInfo): boolean {
  const outside = importedIds.filter(isOutside).map((id) => id.replace(BETWEEN, ''));
  if (outside.length === 0) return false;
  const relayed = [...(code ?? '').matchAll(RELAYS)].map(([, single, double]) => single ?? double ?? '');
  // One is written in a form that is not found, so it may be any of them.
  if (relayed.length < exports.filter((name) => name === '*').length) return true;
  return relayed.some((name) => outside.includes(name) || name.startsWith('#'));
}

function isOutside(id: string): boolean {
  return id.startsWith(BETWEEN) || (!path.isAbsolute(id) && !id.startsWith('\0'));
}
