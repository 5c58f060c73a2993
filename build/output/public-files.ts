import { existsSync, realpathSync } from 'node:fs';
import { copyFile, mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';

import { listFiles } from './list-files.ts';
import type { Problem } from '../problem.ts';
import { isInside } from '../app/project-path.ts';

/** What of `public/` is for everyone to see. */
export interface PublicFiles {
  /** Relative to `public`. */
  files: string[];
  problems: Problem[];
  warnings: string[];
}

/**
 * Lists the files of `public/`. Names that start with a dot are left out, since `.env` and `.git` are never meant to
 * be published; `.well-known` at the top is the one that RFC 8615 keeps for what is.
 */
export async function findPublicFiles(projectRoot: string): Promise<PublicFiles> {
  const found: PublicFiles = { files: [], problems: [], warnings: [] };
  const folder = path.join(projectRoot, 'public');
  if (!existsSync(folder)) return found;

  const root = await realpath(folder);
  const hidden: string[] = [];
  found.files = await listFiles(folder, {
    except(name, { isLink }) {
      if (isHidden(name)) {
        hidden.push(name);
        return true;
      }
      const problem = isLink ? refuseLink(name, { root, target: readLink(path.join(folder, name)) }) : undefined;
      if (problem) found.problems.push(problem);
      return problem !== undefined;
    },
  });
  if (hidden.length > 0) {
    const names = hidden.toSorted().map((name) => `public/${name}`);
    found.warnings.push(`Not exported: ${names.join(', ')}. Names that start with a dot are not published.`);
  }
  return found;
}

/** Copies the files of `public/` that {@link findPublicFiles} lists. Creates the folder in any case. */
export async function copyPublicFiles(
  projectRoot: string,
  { files, to, signal }: { files: readonly string[]; to: string; signal: AbortSignal | undefined },
): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const name of files) {
    signal?.throwIfAborted();
    await mkdir(path.join(to, path.dirname(name)), { recursive: true });
    await copyFile(path.join(projectRoot, 'public', name), path.join(to, name));
  }
}

function isHidden(name: string): boolean {
  return path.posix.basename(name).startsWith('.') && name !== '.well-known';
}

/** Where a link leads in the end, unless that does not exist. */
function readLink(link: string): string | undefined {
  return existsSync(link) ? realpathSync(link) : undefined;
}

function refuseLink(name: string, { root, target }: { root: string; target: string | undefined }): Problem | undefined {
  const file = `public/${name}`;
  if (target === undefined) {
    return { file, message: 'It is a link to something that does not exist.', fix: 'Remove the link, or correct it.' };
  }
  if (isInside(root, target)) return undefined;
  const message = `It is a link that leads out of public, to ${target}, which would be published.`;
  return { file, message, fix: 'Copy what should be published into public, or remove the link.' };
}
