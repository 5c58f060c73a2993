import { readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';

/** Whether a file or folder is left out, a folder with all its contents. The name is relative to the listed folder. */
export type Except = (name: string, entry: { isLink: boolean }) => boolean;

/**
 * Lists every file below a folder, relative to it, with `/` between folders, in the order of their code units. Links
 * are followed and dotfiles are included.
 *
 * @throws Error when a link leads back to a folder that contains it.
 */
export async function listFiles(folder: string, { except }: { except?: Except } = {}): Promise<string[]> {
  return (await collect(folder, { except, prefix: '', parents: [] })).toSorted();
}

/** What {@link listFiles} leaves out when only the user's own files count. */
export function isNodeModules(name: string): boolean {
  return path.posix.basename(name) === 'node_modules';
}

async function collect(
  folder: string,
  { except, prefix, parents }: { except: Except | undefined; prefix: string; parents: readonly string[] },
): Promise<string[]> {
  const files: string[] = [];
  const real = await realpath(folder);
  if (parents.includes(real)) {
    throw new Error(`${folder} is a link to a folder that contains it. Remove the link, or point it somewhere else.`);
  }
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const name = prefix + entry.name;
    if (except?.(name, { isLink: entry.isSymbolicLink() })) continue;
    const full = path.join(folder, entry.name);
    const kind = entry.isSymbolicLink() ? await stat(full) : entry;
    if (kind.isFile()) files.push(name);
    else if (kind.isDirectory()) {
      files.push(...(await collect(full, { except, prefix: `${name}/`, parents: [...parents, real] })));
    }
  }
  return files;
}
