import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * Makes a folder contain these files, and changes only what differs, each file atomically: a reader finds each file
 * either old or new.
 *
 * @param files – the content of each file, by its path in the folder.
 * @param isReplaced – whether an existing file is removed unless it is among `files`. Default: all.
 */
export async function replaceFiles(
  folder: string,
  files: ReadonlyMap<string, string | Uint8Array>,
  isReplaced: (file: string) => boolean = () => true,
): Promise<void> {
  for (const [file, content] of files) {
    const target = path.join(folder, file);
    const before = await readFile(target).catch(() => undefined);
    if (before?.equals(Buffer.from(content))) continue;
    await mkdir(path.dirname(target), { recursive: true });
    const fresh = `${target}.${process.pid}`;
    await writeFile(fresh, content);
    await rename(fresh, target);
  }
  for (const file of await listFiles(folder)) {
    if (!files.has(file) && isReplaced(file)) await rm(path.join(folder, file), { force: true });
  }
}

/** The files below a folder, by their paths in it. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}
