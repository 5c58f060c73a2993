import { copyFileSync, linkSync, mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/**
 * Copies a `node_modules` by hard links, which takes an eighth of the processor time of a copy. The packages in both are the same
 * files from then on: npm never writes into one, it puts others in their place.
 */
export function linkModules(from: string, into: string): void {
  // Only what npm itself keeps there, such as .package-lock.json, is written again in place.
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
    // On another file system, or on one without hard links.
    copyFileSync(from, into);
  }
}
