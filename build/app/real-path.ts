import { realpathSync } from 'node:fs';

/** The path without symbolic links, by which bundlers know a file. For a file that is not there, the same path. */
export function toRealPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
