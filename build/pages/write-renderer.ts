import path from 'node:path';

import type { ExternalUse } from '../packages/external-packages.ts';
import { toSourceMap } from '../bundle/source-map.ts';
import { writeFileIn } from '../output/write-file.ts';
import { writeModule } from '../output/write-server.ts';
import type { SourceMapMode } from '../output/write-server.ts';
import type { RenderChunk, SiteBundles } from '../site/site-bundles.ts';

/** The path of the code that renders pages on request, relative to the server build. */
export const RENDER_FOLDER = '_appkit/site';

/** The name of its entry. */
export const RENDER = 'render';
/** The path of the code that an export renders pages with. */
export const PRERENDER = 'prerender';

/** Finds the external modules that are needed to render pages on request. */
export function findExternals({
  renderChunks,
  external,
}: Pick<SiteBundles, 'renderChunks' | 'external'>): ExternalUse[] {
  const asked = new Set(findNeeded(RENDER, renderChunks).flatMap(({ requires }) => requires));
  return external.filter(({ specifier }) => asked.has(specifier));
}

/**
 * Writes the code that renders pages: the server's part into the server build, with its maps, and this export's part
 * into a separate folder.
 */
export function writeRenderer(
  chunks: readonly RenderChunk[],
  {
    projectRoot,
    folder,
    outputDir,
    renderFolder,
    serverSourceMaps: sourceMaps,
  }: {
    projectRoot: string;
    /** The folder of the export, which becomes `outputDir`. */
    folder: string;
    outputDir: string;
    renderFolder: string;
    serverSourceMaps: SourceMapMode;
  },
): void {
  // Without this, a `"type": "module"` in a folder above would turn the bundle into an ES module.
  writeFileIn(renderFolder, 'package.json', `${JSON.stringify({ type: 'commonjs' })}\n`);
  for (const { fileName, code } of findNeeded(PRERENDER, chunks)) writeFileIn(renderFolder, fileName, code);
  for (const { fileName, code, map } of findNeeded(RENDER, chunks)) {
    const output = `${RENDER_FOLDER}/${fileName}`;
    const file = path.join(outputDir, 'server', output);
    const module = { output, code, map: map && toSourceMap(map, { projectRoot, file }) };
    writeModule(path.join(folder, 'server'), module, { sourceMaps });
  }
}

/** An entry and everything it loads, however indirectly. Empty when there is no such entry. */
function findNeeded(entry: string, chunks: readonly RenderChunk[]): RenderChunk[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const names = new Set([`${entry}.js`]);
  // Items added while the loop runs are visited as well.
  for (const each of names) for (const other of byName.get(each)?.requires ?? []) names.add(other);
  return [...names].flatMap((each) => byName.get(each) ?? []);
}
