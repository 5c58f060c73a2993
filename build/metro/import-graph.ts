import { readFileSync } from 'node:fs';

/** The importers of each module, as far as a resolver has seen them. */
export interface ImportGraph {
  add(imported: string, by: { importer: string; specifier: string }): void;
  /** Only current importers: a development server keeps running while files change. */
  getImporters(file: string): string[];
}

export function createImportGraph(): ImportGraph {
  const importers = new Map<string, Map<string, string>>();
  return {
    add(imported, { importer, specifier }) {
      const known = importers.get(imported) ?? new Map<string, string>();
      importers.set(imported, known.set(importer, specifier));
    },
    getImporters: (file) =>
      [...(importers.get(file) ?? [])].flatMap(([importer, specifier]) => (names(importer, specifier) ? importer : [])),
  };
}

function names(importer: string, specifier: string): boolean {
  // A context names no files: it covers its folder.
  if (isContext(importer)) return true;
  try {
    return readFileSync(importer, 'utf8').includes(specifier);
  } catch {
    return false;
  }
}

/** Whether an importer is a `require.context`, which Metro names by its folder and a hash. */
export function isContext(importer: string): boolean {
  return /\?ctx=[\da-f]+$/.test(importer);
}
