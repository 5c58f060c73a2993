import { statSync } from 'node:fs';

/** Whether there is a file of this name. Node 22.12 throws for a name below a file, even with `throwIfNoEntry: false`. */
export function isFile(name: string): boolean {
  try {
    return statSync(name).isFile();
  } catch {
    return false;
  }
}
