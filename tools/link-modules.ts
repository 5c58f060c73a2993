import { copyFileSync, linkSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/**
 * Copies a `node_modules` with hard links, which takes an eighth of the processor time of a copy. From then on, the
 * packages in both are the same files: npm never writes into a file, but replaces it.
 */
export function linkModules(from: string, into: string): void {
  // Only npm's own records, such as .package-lock.json, are rewritten in place.
  linkFolder(from, into, copyFileSync);
}

function linkFolder(from: string, into: string, takeFile: (from: string, into: string) => void): void {
  mkdirSync(into, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, entry.name), path.join(into, entry.name)];
    if (entry.isDirectory()) linkFolder(source, target, linkFile);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else takeFile(source, target);
  }
}

function linkFile(from: string, into: string): void {
  try {
    linkSync(from, into);
  } catch {
    // On another file system, or on a file system without hard links.
    copyFileSync(from, into);
  }
}
