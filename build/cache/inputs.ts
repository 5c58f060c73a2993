import { existsSync } from 'node:fs';
import path from 'node:path';

import { findPackageOf, toPackageName } from '../packages/package-of.ts';
import { isInside } from '../app/project-path.ts';
import type { FileState } from './file-state.ts';

/** The inputs of a bundle: the hash of each file, and of each tree that decided what imports meant. */
export interface Inputs {
  files: [file: string, hash: string][];
  trees: [folder: string, hash: string][];
}

/** What a bundler has read. */
export interface ReadModules {
  /** The ids of all modules that the bundler has read, whether in the bundle or not. */
  modules: Iterable<string>;
  /** Packages that were imported but not found, with their importers. */
  missing?: readonly { importer: string; specifier: string }[];
}

/**
 * Records what a bundle was made of, so that {@link areUnchanged} can later tell whether it would be the same again.
 *
 * @returns undefined if the inputs cannot be known, such as for a module without a file.
 */
export function recordInputs(
  { modules, missing = [] }: ReadModules,
  { projectRoot, state }: { projectRoot: string; state: FileState },
): Inputs | undefined {
  const files = new Map<string, string>();
  const folders = new Set([projectRoot]);
  const packages = new Set<string>();
  // Files of the same folder are in the same tree.
  const trees = new Map<string, string | undefined>();
  for (const id of modules) {
    const file = toFile(id, projectRoot);
    if (file === undefined) continue;
    if (files.has(file)) continue;
    const hash = state.hashFile(file);
    const around = path.dirname(file);
    if (!trees.has(around)) trees.set(around, toTree(file, projectRoot));
    const folder = trees.get(around);
    if (hash === undefined || folder === undefined) return undefined;
    files.set(file, hash);
    folders.add(folder);
    if (folder !== projectRoot) packages.add(findPackageOf(file)?.name ?? '');
  }
  for (const { importer, specifier } of missing) {
    for (const place of listInstallFolders([importer])) folders.add(path.join(place, toPackageName(specifier)));
  }
  // A nearer copy may be incomplete now, and be the one that is found later.
  for (const place of listInstallFolders(files.keys()).filter((folder) => existsSync(folder))) {
    for (const name of packages) if (existsSync(path.join(place, name))) folders.add(path.join(place, name));
  }
  return { files: [...files], trees: [...folders].map((folder) => [folder, state.hashTree(folder)]) };
}

/** Whether all inputs are unchanged. */
export function areUnchanged({ files, trees }: Inputs, state: FileState): boolean {
  for (const [folder, hash] of trees) if (state.hashTree(folder) !== hash) return false;
  for (const [file, hash] of files) if (state.hashFile(file) !== hash) return false;
  return true;
}

/** The file of a module, unless the module comes from one of our plugins or the bundler itself. */
function toFile(id: string, projectRoot: string): string | undefined {
  if (id.startsWith('\0public:')) return path.join(projectRoot, 'public', toPlain(id.slice('\0public:'.length)));
  // The bundler's own modules represent the file they are named after: `\0/x.js?commonjs`.
  return id.startsWith('\0') || !path.isAbsolute(id) ? undefined : toPlain(id);
}

function toPlain(id: string): string {
  return id.replace(/\?[^?]*$/, '');
}

/** The folder in which a file's import could resolve to another file than it did. */
function toTree(file: string, projectRoot: string): string | undefined {
  if (isInside(projectRoot, file) && !path.relative(projectRoot, file).includes('node_modules')) return projectRoot;
  const root = findPackageOf(file)?.root;
  // A package of the same workspace. A package around the project would include everything.
  return root === undefined || isInside(root, projectRoot) ? undefined : root;
}

/** The folders that are searched for packages that files import. */
function listInstallFolders(files: Iterable<string>): string[] {
  const around = new Set<string>();
  for (const file of files) {
    for (let folder = path.dirname(file); !around.has(folder); folder = path.dirname(folder)) around.add(folder);
  }
  return [...around]
    .filter((folder) => path.basename(folder) !== 'node_modules')
    .map((folder) => path.join(folder, 'node_modules'));
}
