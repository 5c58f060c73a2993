import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from '../command-error.ts';

/**
 * Makes sure that a file or folder can be written, before the first one of several is.
 *
 * @param target – does not have to exist, nor its parents.
 * @throws CommandError naming what is in the way.
 */
export function assertWritable(target: string): void {
  let place = target;
  while (!existsSync(place) && place !== path.dirname(place)) place = path.dirname(place);
  const shown = path.relative('', place) || '.';
  const isFolder = statSync(place).isDirectory();
  if (place !== target && !isFolder) throw isFile(shown);
  try {
    accessSync(place, isFolder ? constants.W_OK | constants.X_OK : constants.W_OK);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException; // what node:fs throws
    throw new CommandError(
      `${shown}: the system does not allow writing here: ${code}. Nothing was written.`,
      'Check who owns it and what this user may do there, or name another folder.',
      { cause },
    );
  }
}

/** The same for a folder. */
export function assertWritableFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isFile()) throw isFile(path.relative('', folder));
  assertWritable(folder);
}

function isFile(shown: string): CommandError {
  return new CommandError(
    `${shown}: this is a file, where a folder is needed. Nothing was written.`,
    'Rename it, or name another folder.',
  );
}
