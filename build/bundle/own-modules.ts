import type { CodeSplittingGroup, ModuleInfo } from 'rolldown';

/** The name of chunks with what a single entry reaches, before that of the entry. */
export const OWN = 'own';

/**
 * Puts what only one entry reaches into a chunk next to it. When a module throws, the entry throws, and the host forgets
 * its file with the state of all modules in it. Chunks only define modules, and are kept.
 *
 * @param modules – filled before the bundler asks.
 */
export function createOwnGroup(modules: ReadonlyMap<string, ModuleInfo>): CodeSplittingGroup {
  let own: ReadonlySet<string> | undefined;
  return { name: OWN, test: (id) => (own ??= findOwn(modules)).has(id), entriesAware: true };
}

/** Finds the modules that a single entry reaches, without the entries. */
function findOwn(modules: ReadonlyMap<string, ModuleInfo>): Set<string> {
  const entries = [...modules].filter(([, info]) => isLoadedAlone(info)).map(([id]) => id);
  const reachedFrom = new Map<string, string>();
  const several = new Set<string>();
  for (const entry of entries) {
    const pending = [entry];
    // Items added while the loop runs are visited as well. Each module is at most twice among them with its imports.
    for (const id of pending) {
      const other = reachedFrom.get(id);
      if (other === entry || several.has(id)) continue;
      if (other === undefined) reachedFrom.set(id, entry);
      else several.add(id);
      pending.push(...(modules.get(id)?.importedIds ?? []));
    }
  }
  for (const id of [...entries, ...several]) reachedFrom.delete(id);
  return new Set(reachedFrom.keys());
}

/** Whether a module is an entry, is imported dynamically, or is the only one behind an entry that stands in for it. */
function isLoadedAlone({ isEntry, importers, dynamicImporters }: ModuleInfo): boolean {
  return isEntry || dynamicImporters.length > 0 || importers.some((id) => id.startsWith('\0'));
}
