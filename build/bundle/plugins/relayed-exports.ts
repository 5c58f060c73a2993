import path from 'node:path';

import type { ModuleInfo, Plugin } from 'rolldown';

/**
 * Modules that pass on with `export *` what stays outside, and those that are imported later among them. The bundler (rolldown 1.2) loses
 * such exports where a module that is imported later relays them.
 */
export interface Relays {
  /** Modules that import from outside what they pass on. */
  sources: Set<string>;
  /** Modules that are imported later and pass on what comes from outside, however indirectly. */
  later: Set<string>;
}

/** Stands between a module and what it passes on from outside. */
const BETWEEN = '\0appkit-outside:';
/** The entry that asks for what is imported later at once. It is not part of the output. */
const ANCHOR = '\0appkit-anchor';
export const ANCHOR_NAME = 'anchor';

const RELAYS = /\bexport\s*\*/;

/** Finds what {@link createRelayPlugin} is to care for. */
export function findRelays(modules: ReadonlyMap<string, ModuleInfo>): Relays {
  const { sources, all } = findRelaying(modules);
  const later = [...all].filter((id) => (modules.get(id)?.dynamicImporters.length ?? 0) > 0);
  return { sources, later: new Set(later) };
}

/** Finds the modules that pass on what comes from outside: at once, and all. */
export function findRelaying(modules: ReadonlyMap<string, ModuleInfo>): { sources: Set<string>; all: Set<string> } {
  const passing = new Map([...modules].filter(([, { code }]) => RELAYS.test(code ?? '')));
  const sources = new Set([...passing].filter(([, info]) => info.importedIds.some(isOutside)).map(([id]) => id));
  const all = new Set(sources);
  for (let size = 0; size < all.size;) {
    size = all.size;
    for (const [id, info] of passing) if (info.importedIds.some((other) => all.has(other))) all.add(id);
  }
  return { sources, all };
}

/**
 * Has the bundler keep all exports of these modules in an object: one more entry asks for those at once that are imported later, and what
 * is outside comes from a CommonJS module.
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

function isOutside(id: string): boolean {
  return !path.isAbsolute(id) && !id.startsWith('\0');
}
