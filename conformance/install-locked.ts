import { cp, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runCommand } from './command.ts';

/**
 * Installs the packages of a lock file into a folder, unless they are already there. Processes that do so at the same
 * time do not disturb each other.
 *
 * @param from – the folder of `package.json` and `package-lock.json`.
 * @returns the folder.
 */
export async function installLocked(from: string, folder: string): Promise<string> {
  const wanted = await readFile(path.join(from, 'package-lock.json'), 'utf8');
  if (await isInstalled(folder, wanted)) return folder;
  console.log(`Installing tools into ${folder}`);
  await mkdir(path.dirname(folder), { recursive: true });
  const fresh = await mkdtemp(`${folder}-`);
  try {
    for (const file of ['package.json', 'package-lock.json']) await cp(path.join(from, file), path.join(fresh, file));
    await runCommand(['npm', 'ci', '--prefer-offline', '--no-audit', '--no-fund'], fresh);
    await writeFile(path.join(fresh, 'installed.json'), wanted);
    // Another process may have been faster, and may already use its own.
    if (await isInstalled(folder, wanted)) return folder;
    await rm(folder, { recursive: true, force: true });
    await rename(fresh, folder);
    return folder;
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

async function isInstalled(folder: string, wanted: string): Promise<boolean> {
  return (await readFile(path.join(folder, 'installed.json'), 'utf8').catch(() => null)) === wanted;
}
