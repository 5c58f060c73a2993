import path from 'node:path';

import type { ExternalUse } from '../packages/external-packages.ts';
import { toSourceMap } from '../bundle/source-map.ts';
import { writeFileIn } from '../output/write-file.ts';
import { writeModule } from '../output/write-server.ts';
import type { SourceMapMode } from '../output/write-server.ts';
import type { RenderChunk, SiteBundles } from '../site/site-bundles.ts';

/** Where what renders pages on request is, relative to the server build. */
export const RENDER_FOLDER = '_appkit/site';

/** The name of its entry. */
export const RENDER = 'render';
/** That of what an export renders pages with. */
export const PRERENDER = 'prerender';

/** Tells which of the modules that are left outside are needed to render pages on request. */
export function findExternals({
  renderChunks,
  external,
}: Pick<SiteBundles, 'renderChunks' | 'external'>): ExternalUse[] {
  const asked = new Set(findNeeded(RENDER, renderChunks).flatMap(({ requires }) => requires));
  return external.filter(({ specifier }) => asked.has(specifier));
}

/**
 * Writes what renders pages: what the server needs of it into the server build, with its maps, and what this export needs into a
 * folder of its own.
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
  // Without this, a `"type": "module"` further up would make an ES module of the bundle.
  writeFileIn(renderFolder, 'package.json', `${JSON.stringify({ type: 'commonjs' })}\n`);
  for (const { fileName, code } of findNeeded(PRERENDER, chunks)) writeFileIn(renderFolder, fileName, code);
  for (const { fileName, code, map } of findNeeded(RENDER, chunks)) {
    const output = `${RENDER_FOLDER}/${fileName}`;
    const file = path.join(outputDir, 'server', output);
    const module = { output, code, map: map && toSourceMap(map, { projectRoot, file }) };
    writeModule(path.join(folder, 'server'), module, { sourceMaps });
  }
}

/** An entry and all that it asks for, however indirectly. Nothing when there is no such entry. */
function findNeeded(entry: string, chunks: readonly RenderChunk[]): RenderChunk[] {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const names = new Set([`${entry}.js`]);
  // What is added while the loop runs is visited as well.
  for (const each of names) for (const other of byName.get(each)?.requires ?? []) names.add(other);
  return [...names].flatMap((each) => byName.get(each) ?? []);
}
