import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from './command.ts';

/** The `package.json` of a host's tools. */
export interface ToolsManifest {
  dependencies: Record<string, string>;
  /** The packages to request from the registry instead. Default: the latest version of each dependency. */
  newest?: Record<string, string>;
}

const installed = new Map<string, Promise<string>>();

/**
 * Installs the newest versions of the tools whose `package.json` is in a folder, whatever their lock file says, once
 * per process.
 *
 * @param from – the folder of `package.json`.
 * @returns the folder.
 */
export function installNewest(from: string, folder: string): Promise<string> {
  const folderOnce = installed.get(folder) ?? install(from, folder);
  installed.set(folder, folderOnce);
  return folderOnce;
}

async function install(from: string, folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(path.join(from, 'package.json'), 'utf8')) as ToolsManifest; // ours
  console.log(`Installing the newest tools into ${folder}`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'package.json'), JSON.stringify(toNewest(manifest)));
  await runCommand(['npm', 'install', '--no-audit', '--no-fund'], folder);
  return folder;
}

/** The same tools, with registry tags instead of versions. */
export function toNewest({ newest, ...manifest }: ToolsManifest): ToolsManifest {
  const latest = Object.keys(manifest.dependencies).map((name) => [name, 'latest'] as const);
  return { ...manifest, dependencies: newest ?? Object.fromEntries(latest) };
}
