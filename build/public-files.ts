import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';

import { listFiles } from './list-files.ts';

/** Copies the files of `public/`, dotfiles and what links point to included. Creates the folder in any case. */
export async function copyPublicFiles(projectRoot: string, { to }: { to: string }): Promise<void> {
  const folder = path.join(projectRoot, 'public');
  await mkdir(to, { recursive: true });
  if (!existsSync(folder)) return;
  for (const name of await listFiles(folder)) {
    await mkdir(path.join(to, path.dirname(name)), { recursive: true });
    await copyFile(path.join(folder, name), path.join(to, name));
  }
}
