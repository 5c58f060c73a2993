import path from 'node:path';

import type { ModuleInfo, OutputChunk, PreRenderedChunk } from 'rolldown';

import { toFirstLine } from './light-fetch.ts';
import type { StrictMode } from './plugins/strict-mode.ts';
import { SLOPPY } from './plugins/strict-mode.ts';
import { OWN } from './own-modules.ts';
import type { ServerFile } from '../app/scan.ts';
import type { BundleMap } from './source-map.ts';

/** A file of the joint bundle: an entry, or modules that the same entries need. */
export interface ServerChunk {
  /** Ends with a line break. */
  code: string;
  /** Absent when nothing in it is from a source. */
  map?: BundleMap;
  /** The names of the chunks that it loads, statically or dynamically. */
  needs: string[];
}

const FOLDER = '_appkit';

/** The folder of the chunks, relative to the server build. */
export const CHUNKS: string = `${FOLDER}/chunks`;

const GROUP = new RegExp(`^(${OWN}|${SLOPPY})_`);

/** For the bundler's output options: where chunks go, relative to the server build. */
export const chunkNames: {
  entryFileNames: string;
  sanitizeFileName: false;
  chunkFileNames: (chunk: PreRenderedChunk) => string;
  hashCharacters: 'hex';
} = {
  // Not functions, which the bundler would wait for at each of thousands of entries.
  entryFileNames: `${FOLDER}/[name].js`,
  sanitizeFileName: false,
  // Without the entries, which the bundler adds to the names of groups.
  chunkFileNames: ({ name }) => `${CHUNKS}/${GROUP.exec(name)?.[1] ?? name.replaceAll(/[^\w-]/g, '_')}-[hash].js`,
  // Also unique on file systems that ignore case.
  hashCharacters: 'hex',
};

/**
 * The bundler's name for an entry, by which it names the file. Not the real name: the bundler renames files that differ
 * only in case. Nothing imports such an entry by its name, and at the same depth it imports others by the same paths.
 */
export function toEntryName(index: number, { output }: Pick<ServerFile, 'output'>): string {
  return `${'d/'.repeat(Math.max(countFolders(output) - 1, 0))}of-${index}`;
}

/** The same for a facade, which keeps the name that it is imported by. */
export function toFacadeEntry(name: string): string {
  return path.posix.relative(FOLDER, `${CHUNKS}/${name}`);
}

/** Reads the files that the bundler has made, by name. */
export function toServerChunks(
  chunks: readonly OutputChunk[],
  { strictMode: { isStrict }, modules }: { strictMode: StrictMode; modules: ReadonlyMap<string, ModuleInfo> },
): Map<string, ServerChunk> {
  const names = new Set(chunks.map(({ fileName }) => fileName));
  return new Map(
    chunks.map((chunk) => {
      const { fileName, code, map, imports, dynamicImports } = chunk;
      const line = toFirstLine(code, isStrict(chunk));
      // Next to chunks in sloppy mode, the bundler gives such an entry one export, a getter for all of them.
      const isWrapped = isCommonJs(chunk, modules) && chunk.exports.includes('default');
      const text = `${line}${code.replace(/\n?$/, '\n')}${isWrapped ? 'module.exports=exports.default;\n' : ''}`;
      return [
        fileName,
        {
          code: text,
          ...(map ? { map: toProjectMap(map, { fileName, shift: line === '' ? '' : ';' }) } : {}),
          needs: [...imports, ...dynamicImports].filter((name) => names.has(name)),
        },
      ];
    }),
  );
}

/** Whether a chunk is that of a CommonJS entry, whose exports are known only when it runs. */
export function isCommonJs(
  { facadeModuleId, isEntry }: OutputChunk,
  modules: ReadonlyMap<string, ModuleInfo>,
): boolean {
  return isEntry && modules.get(facadeModuleId ?? '')?.inputFormat === 'cjs';
}

/** The chunks that one chunk needs, however indirectly, with itself first. */
export function listNeeded(name: string, chunks: ReadonlyMap<string, ServerChunk>): string[] {
  const needed = new Set([name]);
  // Items added while the loop runs are visited as well.
  for (const each of needed) for (const other of chunks.get(each)?.needs ?? []) needed.add(other);
  return [...needed];
}

/** The bundler names sources relative to each chunk, which it assumes to be in the project. */
function toProjectMap(
  { sources, names, mappings }: BundleMap,
  { fileName, shift }: { fileName: string; shift: string },
): BundleMap {
  const folder = path.posix.dirname(fileName);
  return {
    sources: sources.map((source) => (source?.startsWith('.') ? path.posix.join(folder, source) : source)),
    names,
    mappings: shift + mappings,
  };
}

function countFolders(file: string): number {
  return file.split('/').length - 1;
}
