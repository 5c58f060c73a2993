import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { JobsHost } from 'appkit-server/deploy';

/** Folders that have no module which hosts the app: packages, what commands write, and the routes. */
const OTHERS = new Set(['node_modules', 'dist', 'app', 'public']);

/**
 * Whether an app stores its jobs in what a host has for them, or forgets to store them. It may be hosted there and store them elsewhere, such as in
 * PostgreSQL, or the configuration may be that of something else.
 *
 * @param root – the folder of the app.
 */
export function storesJobsThere(root: string, { adapter, engine }: Pick<JobsHost, 'adapter' | 'engine'>): boolean {
  const hosting = listModules(root)
    .map((file) => readFileSync(file, 'utf8'))
    .filter((code) => code.includes(adapter));
  return hosting.some((code) => code.includes(engine) || !code.includes('appkit-server/jobs/'));
}

function listModules(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return OTHERS.has(entry.name) || entry.name.startsWith('.') ? [] : listModules(file);
    return entry.isFile() && /\.[cm]?[jt]s$/.test(entry.name) ? [file] : [];
  });
}
