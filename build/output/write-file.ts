import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Writes a file, and the folders around it. Synchronously: an export writes thousands of small files, and waiting for
 * each takes several times as long as writing it.
 */
export function writeFileIn(folder: string, name: string, content: string | Buffer): void {
  const file = path.join(folder, name);
  try {
    writeFileSync(file, content);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
}
