import { statSync } from 'node:fs';
import path from 'node:path';
import { CommandError } from '../command-error.ts';

/**
 * The folder of an app, as an absolute path.
 *
 * @throws CommandError when there is no such folder.
 */
export function projectRoot(directory: string): string {
  const root = path.resolve(directory);
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory()) return root;
  throw new CommandError(
    `${directory}: there is no such folder.`,
    'Name the folder of the app, or leave it out when you are in it.',
  );
}
