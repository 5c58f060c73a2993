import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Lists every file below a folder, relative to it, with `/` between folders, in the order of their code units.
 * Links are followed and dotfiles are included.
 *
 * @param options - `except` names folders that are not entered, at any depth.
 * @throws Error when a link leads back to a folder it lies in.
 */
export async function listFiles(folder: string, { except }: { except?: string } = {}): Promise<string[]> {
  return (await collect(folder, { except, prefix: '', parents: [] })).toSorted();
}

async function collect(
  folder: string,
  { except, prefix, parents }: { except: string | undefined; prefix: string; parents: readonly string[] },
): Promise<string[]> {
  const files: string[] = [];
  const real = await realpath(folder);
  if (parents.includes(real)) {
    throw new Error(`${folder} is a link to a folder it lies in. Remove the link, or point it somewhere else.`);
  }
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const full = path.join(folder, entry.name);
    const kind = entry.isSymbolicLink() ? await stat(full) : entry;
    if (kind.isFile()) files.push(prefix + entry.name);
    else if (kind.isDirectory() && entry.name !== except) {
      files.push(...(await collect(full, { except, prefix: `${prefix}${entry.name}/`, parents: [...parents, real] })));
    }
  }
  return files;
}
