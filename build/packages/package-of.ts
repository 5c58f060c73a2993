import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { parseJson } from './parse-json.ts';

/** A package on disk. */
export interface InstalledPackage {
  name: string;
  /** Its folder, which contains its `package.json`. */
  root: string;
}

const LAST_PACKAGE = /^(.*[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+))(?:[\\/]|$)/s;

/**
 * Finds the package of a file: by the last `node_modules` in its path, or, for a workspace package, by the nearest
 * `package.json` with a name.
 */
export function findPackageOf(file: string): InstalledPackage | undefined {
  const [, root, name] = LAST_PACKAGE.exec(file) ?? [];
  if (root !== undefined && name !== undefined) return { root, name: name.replaceAll('\\', '/') };
  for (let folder = path.dirname(file); folder !== path.dirname(folder); folder = path.dirname(folder)) {
    const manifest = path.join(folder, 'package.json');
    if (!existsSync(manifest)) continue;
    const { name } = parseJson(readFileSync(manifest, 'utf8')) as { name?: unknown };
    if (typeof name === 'string') return { root: folder, name };
  }
  return undefined;
}

/** The package name in a specifier such as `@scope/name/part`. */
export function toPackageName(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

/** Whether a file was installed rather than written for this app. */
export function isInstalled(file: string): boolean {
  return /[\\/]node_modules[\\/]/.test(file);
}
