import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { StaticPath } from './static-path.ts';

/** What a path leads to among the static files. */
export type Found = { file: string[] } | { redirect: string };

/**
 * Finds the static file for a path: the file itself, `about.html` for `/about`, `docs/index.html` for `/docs/`, and a
 * redirect to `/docs/` for `/docs`, since relative links of that page would lead astray without the slash.
 *
 * @param root – the folder of static files.
 * @returns the file as segments below `root`, or where to send the client, or nothing.
 */
export async function findFile(root: string, { segments, isFolder, search }: StaticPath): Promise<Found | undefined> {
  const isFile = async (file: string[]): Promise<boolean> => {
    const stats = await stat(path.join(root, ...file)).catch(ignoreMissing);
    return stats?.isFile() ?? false;
  };

  const index = [...segments, 'index.html'];
  if (isFolder) return (await isFile(index)) ? { file: index } : undefined;

  if (await isFile(segments)) return { file: segments };
  const page = [...segments.slice(0, -1), `${segments.at(-1)}.html`];
  if (await isFile(page)) return { file: page };
  if (await isFile(index)) return { redirect: `/${segments.map(encodeURIComponent).join('/')}/${search}` };
  return undefined;
}

function ignoreMissing(error: unknown): undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ENAMETOOLONG') return undefined;
  throw error;
}
