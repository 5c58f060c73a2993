import { existsSync } from 'node:fs';
import path from 'node:path';

import { findPackageOf, toPackageName } from '../packages/package-of.ts';
import { isInside } from '../app/project-path.ts';
import type { FileState } from './file-state.ts';

/** What something was made of: the hash of each file, and of each tree that decided what imports meant. */
export interface Inputs {
  files: [file: string, hash: string][];
  trees: [folder: string, hash: string][];
}

/** What a bundler has read. */
export interface ReadModules {
  /** The ids of all modules it has looked at, in the bundle or not. */
  modules: Iterable<string>;
  /** Packages that were asked for and not found, and by whom. */
  missing?: readonly { importer: string; specifier: string }[];
}

/**
 * Notes what a bundle was made of, so that {@link areUnchanged} can tell later whether it would be the same again.
 *
 * @returns undefined if that cannot be known, such as for a module without a file.
 */
export function recordInputs(
  { modules, missing = [] }: ReadModules,
  { projectRoot, state }: { projectRoot: string; state: FileState },
): Inputs | undefined {
  const files = new Map<string, string>();
  const folders = new Set([projectRoot]);
  const packages = new Set<string>();
  for (const id of modules) {
    const file = toFile(id, projectRoot);
    if (file === undefined) continue;
    if (files.has(file)) continue;
    const hash = state.hashFile(file);
    const folder = toTree(file, projectRoot);
    if (hash === undefined || folder === undefined) return undefined;
    files.set(file, hash);
    folders.add(folder);
    if (folder !== projectRoot) packages.add(findPackageOf(file)?.name ?? '');
  }
  for (const { importer, specifier } of missing) {
    for (const place of listInstallFolders([importer])) folders.add(path.join(place, toPackageName(specifier)));
  }
  // Another copy that is nearer may be incomplete, and become the one that is meant.
  for (const place of listInstallFolders(files.keys()).filter((folder) => existsSync(folder))) {
    for (const name of packages) if (existsSync(path.join(place, name))) folders.add(path.join(place, name));
  }
  const trees: Inputs['trees'] = [];
  for (const folder of folders) trees.push([folder, state.hashTree(folder)]);
  return { files: [...files], trees };
}

/** Answers whether all is what it was. */
export function areUnchanged({ files, trees }: Inputs, state: FileState): boolean {
  for (const [folder, hash] of trees) if (state.hashTree(folder) !== hash) return false;
  for (const [file, hash] of files) if (state.hashFile(file) !== hash) return false;
  return true;
}

/** The file that holds a module, unless a plugin of ours or the bundler itself does. */
function toFile(id: string, projectRoot: string): string | undefined {
  if (id.startsWith('\0public:')) return path.join(projectRoot, 'public', toPlain(id.slice('\0public:'.length)));
  // Modules of the bundler stand for the file they are named after: `\0/x.js?commonjs`.
  return id.startsWith('\0') || !path.isAbsolute(id) ? undefined : toPlain(id);
}

function toPlain(id: string): string {
  return id.replace(/\?[^?]*$/, '');
}

/** The folder in which an import of a file could find another than it did. */
function toTree(file: string, projectRoot: string): string | undefined {
  if (isInside(projectRoot, file) && !path.relative(projectRoot, file).includes('node_modules')) return projectRoot;
  const root = findPackageOf(file)?.root;
  // A package of the same workspace. One that is around the project would be all there is.
  return root === undefined || isInside(root, projectRoot) ? undefined : root;
}

/** The folders in which packages are looked for that files import. */
function listInstallFolders(files: Iterable<string>): string[] {
  const around = new Set<string>();
  for (const file of files) {
    for (let folder = path.dirname(file); !around.has(folder); folder = path.dirname(folder)) around.add(folder);
  }
  return [...around]
    .filter((folder) => path.basename(folder) !== 'node_modules')
    .map((folder) => path.join(folder, 'node_modules'));
}
