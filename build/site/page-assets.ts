import type { Rolldown } from 'vite';

import { toRealPath } from '../app/real-path.ts';

/** The files of the client bundle that a page needs, as URL paths, in the form that `appkit-router/server` accepts. */
export interface PageAssets {
  entry: string;
  modules: string[];
  styles: string[];
}

/** A code file that the bundler has written for the client. */
export interface ClientChunk {
  fileName: string;
  isEntry: boolean;
  /** The files that it imports statically. */
  imports: string[];
  /** The modules in it. */
  modules: string[];
  /** Its style sheets. */
  styles: string[];
}

/** Extracts from the bundler's output what is needed to find the files of a page. */
export function toClientChunks(output: readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[]): ClientChunk[] {
  return output.flatMap((file) => {
    if (file.type !== 'chunk') return [];
    const { fileName, isEntry, imports, moduleIds, viteMetadata } = file;
    return [{ fileName, isEntry, imports, modules: moduleIds, styles: [...(viteMetadata?.importedCss ?? [])] }];
  });
}

/** Finds the client files of each source, by its absolute path. Their URLs are below the base. */
export function createAssetFinder(
  chunks: readonly ClientChunk[],
  base = '',
): (sources: readonly string[]) => PageAssets {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const bySource = new Map(chunks.flatMap((chunk) => chunk.modules.map((id) => [id, chunk])));
  const entry = chunks.find((chunk) => chunk.isEntry);
  if (!entry) throw new Error('The client bundle has no entry.');

  return (sources) => {
    // Depth-first, with dependencies first: the order of style sheets as if the page imported them itself.
    const reached = new Set<ClientChunk>();
    const visit = (chunk: ClientChunk | undefined, seen: Set<ClientChunk>): void => {
      if (!chunk || seen.has(chunk)) return;
      seen.add(chunk);
      for (const name of chunk.imports) visit(byName.get(name), seen);
      reached.add(chunk);
    };
    const seen = new Set<ClientChunk>();
    visit(entry, seen);
    for (const source of sources) visit(bySource.get(source) ?? bySource.get(toRealPath(source)), seen);
    const needed = [...reached];
    return {
      entry: `${base}/${entry.fileName}`,
      modules: needed.filter((chunk) => chunk !== entry).map(({ fileName }) => `${base}/${fileName}`),
      styles: [...new Set(needed.flatMap(({ styles }) => styles))].map((file) => `${base}/${file}`),
    };
  };
}
