import { statSync } from 'node:fs';

/** Whether a file of this name exists. Node 22.12 throws for a name below a file, even with `throwIfNoEntry: false`. */
export function isFile(name: string): boolean {
  try {
    return statSync(name).isFile();
  } catch {
    return false;
  }
}
