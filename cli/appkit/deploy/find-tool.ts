import { accessSync, constants } from 'node:fs';
import path from 'node:path';

/**
 * Finds a command: what the app or a folder around it has installed comes before what is on the PATH.
 *
 * @returns its path, absolute; undefined when there is none.
 */
export function findTool(
  name: string,
  from: string,
  searchPath: string = process.env['PATH'] ?? '',
): string | undefined {
  const installed: string[] = [];
  for (let folder = from; ; folder = path.dirname(folder)) {
    installed.push(path.join(folder, 'node_modules/.bin'));
    if (path.dirname(folder) === folder) break;
  }
  const extensions = process.platform === 'win32' ? ['.cmd', '.exe'] : [''];
  return [...installed, ...searchPath.split(path.delimiter).filter(path.isAbsolute)]
    .flatMap((folder) => extensions.map((extension) => path.join(folder, name + extension)))
    .find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
