import { existsSync, realpathSync } from 'node:fs';
import { copyFile, mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';

import { toClientFolder } from './client-folder.ts';
import { listFiles } from './list-files.ts';
import type { Problem } from '../problem.ts';
import { isInside } from '../app/project-path.ts';

/** Which entries of a folder such as `public/` are public. */
export interface PublicFiles {
  /** Relative to the folder. */
  files: string[];
  problems: Problem[];
  warnings: string[];
}

/**
 * Lists the files of `public/`, or of another folder of the project. Names that start with a dot are left out, since
 * `.env` and `.git` are never meant to be published. The exception is `.well-known` at the top, which RFC 8615 reserves
 * for public files.
 */
export async function findPublicFiles(projectRoot: string, from = 'public'): Promise<PublicFiles> {
  const found: PublicFiles = { files: [], problems: [], warnings: [] };
  const folder = path.join(projectRoot, from);
  if (!existsSync(folder)) return found;

  const root = await realpath(folder);
  const hidden: string[] = [];
  found.files = await listFiles(folder, {
    except(name, { isLink }) {
      if (isHidden(name)) {
        hidden.push(name);
        return true;
      }
      const problem = isLink ? refuseLink(name, { from, root, target: readLink(path.join(folder, name)) }) : undefined;
      if (problem) found.problems.push(problem);
      return problem !== undefined;
    },
  });
  if (hidden.length > 0) {
    const names = hidden.toSorted().map((name) => `${from}/${name}`);
    found.warnings.push(`Not exported: ${names.join(', ')}. Names that start with a dot are not published.`);
  }
  return found;
}

/**
 * Copies the files of `public/` that {@link findPublicFiles} lists. Creates the folder in any case.
 *
 * @param options – `to` is the folder that becomes `dist/client`; `base` is the path that the app is below.
 */
export async function copyPublicFiles(
  projectRoot: string,
  {
    files,
    from = 'public',
    to,
    base,
    signal,
  }: {
    files: readonly string[];
    from?: string;
    to: string;
    base?: string | undefined;
    signal: AbortSignal | undefined;
  },
): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of files) {
    signal?.throwIfAborted();
    const copy = toPublicFile(to, name, base);
    await mkdir(path.dirname(copy), { recursive: true });
    await copyFile(path.join(projectRoot, from, name), copy);
  }
}

/** Where a file of `public/` goes. Files for the entire host go to the root, even when the app is below a path. */
export function toPublicFile(client: string, name: string, base: string | undefined): string {
  return path.join(OF_HOST.test(name) ? client : toClientFolder(client, base), name);
}

/** RFC 8615 puts `.well-known` at the root of a host. Netlify and Cloudflare read the other two there. */
const OF_HOST = /^(?:\.well-known\/|_headers$|_redirects$)/;

function isHidden(name: string): boolean {
  return path.posix.basename(name).startsWith('.') && name !== '.well-known';
}

/** The final target of a link, unless it does not exist. */
function readLink(link: string): string | undefined {
  return existsSync(link) ? realpathSync(link) : undefined;
}

function refuseLink(
  name: string,
  { from, root, target }: { from: string; root: string; target: string | undefined },
): Problem | undefined {
  const file = `${from}/${name}`;
  if (target === undefined) {
    return { file, message: 'It is a link to something that does not exist.', fix: 'Remove the link, or correct it.' };
  }
  if (isInside(root, target)) return undefined;
  const message = `It is a link that leads out of ${from}, to ${target}, which would be published.`;
  return { file, message, fix: `Copy what should be published into ${from}, or remove the link.` };
}
