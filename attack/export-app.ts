import { cp, symlink } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from '../conformance/command.ts';
import type { InstalledApps } from '../conformance/hosts.ts';
import { createHostInstaller } from '../conformance/host-installer.ts';
import { packPackages } from '../tools/pack.ts';

const repository = path.join(import.meta.dirname, '..');

/** This repository's CLI, to which `export …` or `init …` is added. */
export const cli = ['node', path.join(repository, 'cli/appkit/bin/appkit.js')] as const;

/** Copies the attacked app into a folder where it finds its packages in the repository. */
export async function copyApp(folder: string): Promise<string> {
  await cp(path.join(import.meta.dirname, 'app'), folder, {
    recursive: true,
    filter: (file) => !/\/(?:dist|node_modules|\.appkit)$/.test(file),
  });
  await symlink(path.join(repository, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

/** Exports the app and packs appkit-server, for preparing hosts. */
export async function exportApp(folder: string): Promise<InstalledApps> {
  const app = await copyApp(path.join(folder, 'app'));
  await runCommand([...cli, 'export', '-p', 'web'], app);
  const { 'appkit-server': tarball } = await packPackages(path.join(folder, 'tarballs'));
  const install = createHostInstaller(path.join(folder, 'installed'));
  return { folders: { app }, cli, serverTarball: `file:${tarball}`, install };
}
