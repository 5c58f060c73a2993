import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { HostingModule } from 'appkit-server/deploy';

/** Folders that cannot contain the module that hosts the app: packages, the output of commands, and the routes. */
const OTHERS = new Set(['node_modules', 'dist', 'app', 'public']);

/**
 * Reads the modules of an app that name an adapter, in the order of their paths.
 *
 * @param root – the folder of the app.
 */
export function readHostingModules(root: string): HostingModule[] {
  return listModules(root)
    .map((absolute) => ({
      file: path.relative(root, absolute).replaceAll(path.sep, '/'),
      code: readFileSync(absolute, 'utf8'),
    }))
    .filter(({ code }) => code.includes('appkit-server/adapter/'))
    .toSorted((a, b) => (a.file < b.file ? -1 : 1));
}

function listModules(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return OTHERS.has(entry.name) || entry.name.startsWith('.') ? [] : listModules(file);
    return entry.isFile() && /\.[cm]?[jt]s$/.test(entry.name) ? [file] : [];
  });
}
