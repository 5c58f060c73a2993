import { statSync } from 'node:fs';
import path from 'node:path';

import type { WrittenFile } from './measure-files.ts';
import { writeFileIn } from './write-file.ts';

const FOLDER = 'client.files';
const CLIENT = 'client/';

/**
 * Writes what `appkit-server/static` knows the exported files by, next to the folder that holds them: on a platform that serves that
 * folder, nobody is to get this.
 *
 * @param written - the files of the export; those of the client have a hash.
 * @returns the files with the manifest among them. Without a file for clients there is none.
 */
export function writeClientManifest(folder: string, written: readonly WrittenFile[]): WrittenFile[] {
  const files = written.flatMap(({ file, hash }) =>
    hash === undefined ? [] : [[file.path.slice(CLIENT.length), { size: file.bytes, hash }] as const],
  );
  if (files.length === 0) return [...written];
  const name = `${FOLDER}/manifest.json`;
  writeFileIn(folder, name, `${JSON.stringify({ version: 1, files: Object.fromEntries(files) })}\n`);
  const { size } = statSync(path.join(folder, name));
  return [...written, { file: { path: name, bytes: size } }].toSorted(byPath);
}

function byPath(a: WrittenFile, b: WrittenFile): number {
  return a.file.path < b.file.path ? -1 : 1;
}
