import { lstatSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from '../command-error.ts';

/**
 * Makes sure that a file can be written without leaving a folder. Links on its path must stay inside the folder: an
 * archive or a repository must not choose which other files are written.
 *
 * @param file – relative to the folder, with `/`. Neither has to exist.
 * @throws CommandError naming the link.
 */
export function assertInside(root: string, file: string): void {
  const parts = file.split('/');
  for (const [index] of parts.entries()) {
    const part = parts.slice(0, index + 1).join('/');
    const link = path.join(root, part);
    const stats = lstatSync(link, { throwIfNoEntry: false });
    // Other obstacles are checked elsewhere.
    if (!stats || stats.isFile()) return;
    if (!stats.isSymbolicLink()) continue;
    const target = toRealPath(link);
    if (target !== undefined && isInside(realpathSync(root), target)) {
      if (!statSync(target).isDirectory()) return;
      continue;
    }
    const where = target === undefined ? 'leads nowhere' : `leads out of the folder, to ${target}`;
    throw new CommandError(
      `${part} is a link that ${where}. Nothing was written.`,
      'Remove the link, or name another folder.',
    );
  }
}

function toRealPath(link: string): string | undefined {
  try {
    return realpathSync(link);
  } catch {
    // It is broken or circular.
    return undefined;
  }
}

function isInside(outer: string, inner: string): boolean {
  const relative = path.relative(outer, inner);
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}
