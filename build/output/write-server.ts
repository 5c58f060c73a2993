import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';

import type { Manifest } from 'appkit-server/manifest';

import { toMapComment } from '../bundle/source-map.ts';
import type { SourceMap } from '../bundle/source-map.ts';
import type { TracedFile } from '../packages/trace-externals.ts';
import { writeFileIn } from './write-file.ts';

/** A bundle and its place. */
export interface ServerModule {
  /** Relative to the server build, as in the manifest. */
  output: string;
  /** Ends with a line break. */
  code: string;
  /** Absent when maps are not written. */
  map?: SourceMap | undefined;
}

/** Where source maps go: next to the bundle, into it, or nowhere. */
export type SourceMapMode = 'external' | 'inline' | false;

/** Writes a module of a server build, with its map. */
export function writeModule(
  folder: string,
  { output, code, map }: ServerModule,
  { sourceMaps }: { sourceMaps: SourceMapMode },
): void {
  const comment = sourceMaps === false || !map ? '' : toMapComment(map, { inline: sourceMaps === 'inline' });
  writeFileIn(folder, output, code + comment);
  if (map && sourceMaps === 'external') writeFileIn(folder, `${output}.map`, JSON.stringify(map));
}

/** Writes the files of a server build other than its modules, in the form that adapters load. */
export async function writeServer(
  folder: string,
  { manifest, externals }: { manifest: Manifest; externals: readonly TracedFile[] },
): Promise<void> {
  for (const [name, text] of toMarker(manifest)) writeFileIn(folder, name, text);
  writeFileIn(folder, 'index.js', toEntry(manifest));
  for (const { from, to } of externals) {
    const target = path.join(folder, to);
    await mkdir(path.dirname(target), { recursive: true });
    await copyFile(from, target);
  }
}

/** The files that mark a folder as a server build for adapters and Node: their texts by their paths. */
export function toMarker(manifest: Manifest): Map<string, string> {
  return new Map([
    // Without this, a `"type": "module"` in a folder above would turn the bundles into ES modules.
    ['package.json', `${JSON.stringify({ type: 'commonjs' })}\n`],
    ['_appkit/routes.json', `${JSON.stringify(manifest, null, 2)}\n`],
  ]);
}

/** The modules that a manifest names. */
function listModules({
  fetch,
  routes,
  instrumentation,
  middleware,
  folders = [],
  pages = [],
  notFound = [],
  jobs = [],
}: Manifest): string[] {
  const prerendered = pages.flatMap((page) => Object.values(page.prerendered ?? {}));
  const answering = [...routes, ...pages, ...notFound];
  const guards = [...folders, ...answering].flatMap((one) => one.middleware ?? []);
  const files = [...answering, ...jobs, ...[fetch, instrumentation, middleware].filter((one) => one !== undefined)].map(
    ({ file }) => file,
  );
  return [...new Set([...files, ...guards, ...prerendered])];
}

/** An ES module may await at its top level, which require does not support. */
function toLoad(file: string): string {
  return file.endsWith('.mjs') ? 'import' : 'require';
}

/** The module that an app imports to pass its complete server build to a bundler, which follows every `require`. */
export function toEntry(manifest: Manifest): string {
  const files = listModules(manifest);
  const loaders = files
    .toSorted()
    .map((file) => `    ${JSON.stringify(file)}: () => ${toLoad(file)}(${JSON.stringify(`./${file}`)}),\n`);
  return `'use strict';

// Written by appkit export. Each module is loaded by the first request that needs it.
module.exports = {
  manifest: ${JSON.stringify(manifest, null, 2).replaceAll('\n', '\n  ')},
  modules: {
${loaders.join('')}  },
};
`;
}
