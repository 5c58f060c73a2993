import { readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

import { listFiles } from '../output/list-files.ts';
import { parseJson } from '../packages/parse-json.ts';
import { readIfThere, toHash } from './file-state.ts';

let hash: Promise<string> | undefined;

/**
 * Hashes what makes the bundles: this package, its bundler and Node. Once per process: what it has loaded stays,
 * whatever is installed in the meantime.
 */
export function hashTools(): Promise<string> {
  return (hash ??= readTools().catch((error: unknown) => {
    hash = undefined;
    throw error;
  }));
}

/**
 * Hashes a package by its manifest, the sizes and times of its files, and the manifests of its dependencies: there are
 * too many files to read, and an edit changes a file's time.
 */
export async function hashPackage(manifest: string): Promise<string> {
  const folder = path.dirname(manifest);
  const names = await listFiles(folder, { except: (name) => path.posix.basename(name) === 'node_modules' });
  const stats = await Promise.all(names.map((name) => stat(path.join(folder, name))));
  const lines = stats.map(({ size, mtimeMs }, index) => `${names[index]} ${size} ${mtimeMs}`);
  const text = await readFile(manifest, 'utf8');
  return toHash([text, ...lines, ...readDependencies(manifest, text)].join('\n'));
}

async function readTools(): Promise<string> {
  const own = path.join(import.meta.dirname, '..');
  const { resolve } = createRequire(import.meta.url);
  const names = (
    await listFiles(own, { except: (name) => /^(?:node_modules|lib)$|\.d\.ts$|\.test\./.test(name) })
  ).filter((name) => /\.(?:js|ts)$/.test(name));
  const files = await Promise.all(names.map((name) => readFile(path.join(own, name))));
  const packages = await Promise.all(
    ['rolldown', '@typescript-eslint/scope-manager'].map((name) => hashPackage(resolve(`${name}/package.json`))),
  );
  return toHash([process.version, process.platform, process.arch, ...packages, ...files.map(toHash)].join('\n'));
}

/** The manifests of a package's dependencies, which may be newer than it asks for. */
function readDependencies(manifest: string, text: string): string[] {
  const { dependencies = {}, optionalDependencies = {} } = parseJson(text) as Record<string, object | undefined>;
  const folders = createRequire(manifest).resolve.paths('x') ?? [];
  return Object.keys({ ...dependencies, ...optionalDependencies }).flatMap((name) => {
    // Read from the file itself: not every package lets others resolve its manifest.
    const found = folders.map((folder) => readIfThere(path.join(folder, name, 'package.json'))?.toString());
    return found.find((content) => content !== undefined) ?? `no ${name}`;
  });
}
