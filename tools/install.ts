import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { npmCommand, runCommand } from './run-command.ts';

/**
 * Creates a folder and installs packages in it, from npm's cache where possible.
 *
 * @param packages – what `npm install` accepts: tarballs, or names with versions.
 */
export async function install(folder: string, packages: readonly string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), '{ "private": true }');
  await runCommand([...npmCommand(), 'install', '--prefer-offline', '--no-audit', '--no-fund', ...packages], {
    cwd: folder,
  });
}

/** Installs a release of Node from its npm package for this platform, and returns its executable. */
export async function installNode(version: string, folder: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  await install(folder, [`${name}@${version}`]);
  return path.join(folder, 'node_modules', name, 'bin/node');
}
