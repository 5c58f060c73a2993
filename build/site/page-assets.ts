import type { Rolldown } from 'vite';

/** The files of the client bundle that a page needs, as URL paths. `appkit-router/server` takes them so. */
export interface PageAssets {
  entry: string;
  modules: string[];
  styles: string[];
}

/** Finds the files of each source, by its absolute path, in what the bundler has written for the client. */
export function createAssetFinder(
  output: readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[],
): (sources: readonly string[]) => PageAssets {
  const chunks = output.filter((file): file is Rolldown.OutputChunk => file.type === 'chunk');
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const bySource = new Map(chunks.flatMap((chunk) => chunk.moduleIds.map((id) => [id, chunk])));
  const entry = chunks.find((chunk) => chunk.isEntry);
  if (!entry) throw new Error('The client bundle has no entry.');

  return (sources) => {
    // In the order of a depth-first walk, dependencies first: that of the style sheets when the page asks for them itself.
    const reached = new Set<Rolldown.OutputChunk>();
    const visit = (chunk: Rolldown.OutputChunk | undefined, seen: Set<Rolldown.OutputChunk>): void => {
      if (!chunk || seen.has(chunk)) return;
      seen.add(chunk);
      for (const name of chunk.imports) visit(byName.get(name), seen);
      reached.add(chunk);
    };
    const seen = new Set<Rolldown.OutputChunk>();
    visit(entry, seen);
    for (const source of sources) visit(bySource.get(source), seen);
    const needed = [...reached];
    return {
      entry: `/${entry.fileName}`,
      modules: needed.filter((chunk) => chunk !== entry).map(({ fileName }) => `/${fileName}`),
      styles: [...new Set(needed.flatMap((chunk) => [...(chunk.viteMetadata?.importedCss ?? [])]))].map(
        (file) => `/${file}`,
      ),
    };
  };
}
