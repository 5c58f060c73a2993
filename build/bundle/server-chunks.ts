import path from 'node:path';

import type { OutputChunk, PreRenderedChunk } from 'rolldown';

import { toFetchLine } from './light-fetch.ts';
import type { ServerFile } from '../app/scan.ts';
import type { BundleMap } from './source-map.ts';

/** A file of what was bundled together: an entry, or modules that the same entries need. */
export interface ServerChunk {
  /** Ends with a line break. */
  code: string;
  /** Absent where nothing in it is from a source. */
  map?: BundleMap;
  /** The names of the chunks that it asks for, at once or later. */
  needs: string[];
}

/** The folder of the chunks, relative to the server build. */
export const CHUNKS = '_appkit/chunks';

/** For the options of the bundler's output: where chunks are, relative to the server build. */
export function toChunkNames(entries: readonly ServerFile[]): {
  entryFileNames: (chunk: PreRenderedChunk) => string;
  chunkFileNames: string;
  hashCharacters: 'hex';
  sanitizeFileName: (name: string) => string;
} {
  const outputs = new Map(entries.map(({ output }, index) => [toEntryName(index), output]));
  return {
    entryFileNames({ name }) {
      const output = outputs.get(name);
      // A facade has the name that it is asked for by.
      if (output === undefined) return `${CHUNKS}/${name}.js`;
      // Not the real name: the bundler fills in what is in brackets, and renames files that differ only in case. Nothing asks for such an
      // entry by its name, and at the same depth it asks for others by the same paths.
      return `_appkit/${'d/'.repeat(Math.max(countFolders(output) - 1, 0))}${name}.js`;
    },
    chunkFileNames: `${CHUNKS}/[name]-[hash].js`,
    // Also where case makes no difference.
    hashCharacters: 'hex',
    sanitizeFileName: (name) => name.replaceAll(/[^\w-]/g, '_'),
  };
}

/** What the bundler calls an entry. */
export function toEntryName(index: number): string {
  return `of-${index}`;
}

/** Reads the files that the bundler has made, by their names. */
export function toServerChunks(chunks: readonly OutputChunk[]): Map<string, ServerChunk> {
  const names = new Set(chunks.map(({ fileName }) => fileName));
  return new Map(
    chunks.map(({ fileName, code, map, imports, dynamicImports }) => {
      const line = toFetchLine(code);
      const text = `${line}${code.replace(/\n?$/, '\n')}`;
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

/** The chunks that one needs, however indirectly, and itself first. */
export function listNeeded(name: string, chunks: ReadonlyMap<string, ServerChunk>): string[] {
  const needed = new Set([name]);
  // What is added while the loop runs is visited as well.
  for (const each of needed) for (const other of chunks.get(each)?.needs ?? []) needed.add(other);
  return [...needed];
}

/** The bundler names sources relative to each chunk, which it takes for a file in the project. */
function toProjectMap(
  { sources, names, mappings }: BundleMap,
  { fileName, shift }: { fileName: string; shift: string },
): BundleMap {
  const folder = path.posix.dirname(fileName);
  return {
    sources: sources.map((source) => (source.startsWith('.') ? path.posix.join(folder, source) : source)),
    names,
    mappings: shift + mappings,
  };
}

function countFolders(file: string): number {
  return file.split('/').length - 1;
}
