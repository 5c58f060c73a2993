import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import type { InstalledPackage } from './package-of.ts';
import { parseJson } from './parse-json.ts';

/**
 * Finds the packages with binaries for this platform that were installed with a package. The package lists one per
 * platform under `optionalDependencies`, and npm installs those that fit. Its code picks one by a name composed at run
 * time, which neither a bundler nor a tracer can follow.
 *
 * @param root – the folder of the package.
 */
export function findPlatformPackages(root: string): InstalledPackage[] {
  const names = Object.keys(readManifest(root).optionalDependencies ?? {});
  const folders = createRequire(path.join(root, 'index.js')).resolve.paths('x') ?? [];
  return names.flatMap((name) => {
    const installed = folders.map((folder) => path.join(folder, name)).find(isPackage);
    if (installed === undefined) return [];
    const { os, cpu } = readManifest(installed);
    return os || cpu ? [{ name, root: realpathSync(installed) }] : [];
  });
}

interface PackageManifest {
  optionalDependencies?: Record<string, string>;
  os?: string[];
  cpu?: string[];
}

function readManifest(root: string): PackageManifest {
  return isPackage(root) ? (parseJson(readFileSync(path.join(root, 'package.json'), 'utf8')) as PackageManifest) : {};
}

function isPackage(folder: string): boolean {
  return existsSync(path.join(folder, 'package.json'));
}
