import { existsSync, lstatSync } from 'node:fs';
import { cp, lstat, mkdir, readdir, rmdir } from 'node:fs/promises';
import path from 'node:path';

import { finishOpenSwaps, finishSwaps } from '../finish-swaps.ts';
import { whileLocked } from './output-lock.ts';
import type { Problem } from '../problem.ts';
import { isInside, toProjectPath } from '../app/project-path.ts';
import { isNodeModules, listFiles } from './list-files.ts';
import type { Except } from './list-files.ts';
import { hasPlan, newIn, swap } from './swap.ts';
import { createWorkFolder, createWorkFolderInside, removeWorkFolder, toRealOutput } from './work-folder.ts';

/** Refuses an output folder whose replacement would destroy the app's sources, and what cannot be a folder. */
export function checkOutputFolder(
  outputDir: string,
  { projectRoot, routesFolder }: { projectRoot: string; routesFolder: string | undefined },
): Problem[] {
  const publicFolder = path.join(projectRoot, 'public');
  const fix = 'Choose a separate folder, such as dist.';
  const refuse = (message: string): Problem[] => [{ file: toProjectPath(projectRoot, outputDir) || '.', message, fix }];

  const entry = lstatSync(outputDir, { throwIfNoEntry: false });
  // A link to a folder has been resolved.
  if (entry?.isSymbolicLink()) return refuse('The output folder is a link to something that does not exist.');
  if (entry && !entry.isDirectory()) return refuse('The output folder is a file.');
  if (isInside(outputDir, projectRoot)) return refuse('The output folder cannot equal or contain the project folder.');
  if (routesFolder !== undefined && overlap(outputDir, routesFolder)) {
    return refuse('The output folder cannot equal, contain or be inside the routes folder.');
  }
  return overlap(outputDir, publicFolder) ? refuse('The output folder cannot equal, contain or be inside public.') : [];
}

/** Code that a build compiles, so that no output contains it. Declarations are output too. */
const SOURCE = /(?<!\.d)\.(?:ts|mts|cts|tsx|jsx|vue|svelte)$/;

/**
 * Refuses to replace sources: a folder such as `src` may have folders called `client` and `server`, too. What an earlier
 * export has written is not looked at, since it contains the files of `public` and of packages.
 *
 * @param options – with `clear`, everything in the output folder is replaced.
 */
export async function checkReplaced(
  outputDir: string,
  { projectRoot, clear }: { projectRoot: string; clear: boolean },
): Promise<Problem[]> {
  const isExport = EXPORTED.some((name) => existsSync(path.join(outputDir, name)));
  const replaced = clear ? await readNames(outputDir) : OUTPUT;
  for (const name of replaced) {
    if (isExport && OUTPUT.includes(name)) continue;
    const source = (await listOwn(outputDir, name)).find((file) => SOURCE.test(file));
    if (source === undefined) continue;
    const message = 'It is a source file, and the export would replace it: it is in the output folder.';
    const file = toProjectPath(projectRoot, path.join(outputDir, source));
    return [{ file, message, fix: 'Choose a separate output folder, such as dist.' }];
  }
  return [];
}

/** The folders that an export replaces. */
const OUTPUT = ['client', 'server'];
/** Files of which every export has written one. */
const EXPORTED = ['client.files/manifest.json', 'server/_appkit/routes.json'];

/** The files of an entry of a folder, without those behind links, which are not lost with them. */
async function listOwn(folder: string, name: string): Promise<string[]> {
  const entry = await lstat(path.join(folder, name)).catch(() => undefined);
  if (!entry?.isDirectory()) return entry?.isFile() ? [name] : [];
  const except: Except = (file, { isLink }) => isLink || isNodeModules(file);
  return (await listFiles(path.join(folder, name), { except })).map((file) => `${name}/${file}`);
}

async function readNames(folder: string): Promise<string[]> {
  return existsSync(folder) ? (await readdir(folder)).filter((name) => !isNodeModules(name)) : [];
}

function overlap(a: string, b: string): boolean {
  return isInside(a, b) || isInside(b, a);
}

interface ReplaceOptions {
  clear: boolean;
  removed?: readonly string[] | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Lets `write` fill a temporary folder, then moves its contents into the output folder, replacing entries with the same
 * names. When anything fails, the output folder is unchanged. When the process is killed, it is either unchanged too,
 * or {@link finishSwaps} finishes the move; this function begins with that.
 *
 * @param options – with `clear`, everything else in the output folder is removed too; otherwise what `removed` names, if
 * `write` has not written it. Once `signal` is aborted, nothing is moved any more.
 * @returns the result of `write`.
 */
export async function replaceOutput<T>(
  folder: string,
  write: (folder: string) => Promise<T>,
  { clear, removed, signal }: ReplaceOptions,
): Promise<T> {
  signal?.throwIfAborted();
  const outputDir = await toRealOutput(folder);
  const parent = path.dirname(outputDir);
  const created = await mkdir(parent, { recursive: true });
  await finishSwaps(outputDir);
  const work = await createWorkFolder(outputDir);
  try {
    await mkdir(newIn(work));
    const result = await write(newIn(work));
    signal?.throwIfAborted();
    await whileLocked(outputDir, async () => {
      // An export killed since this one began is the older of the two.
      await finishOpenSwaps(outputDir);
      await moveInto(outputDir, work, { clear, removed });
    });
    return result;
  } catch (error) {
    throw withPlace(error, work);
  } finally {
    // With a plan it could be neither finished nor put back, and contains what is missing in the output folder.
    if (!hasPlan(work)) await removeWorkFolder(work);
    if (created !== undefined) await removeEmpty(parent, { upTo: created });
  }
}

/** The system names no file when it refuses to write more into one, such as on a full disk. */
function withPlace(error: unknown, work: string): unknown {
  if (error instanceof Error && 'syscall' in error && error.syscall === 'write' && !('path' in error)) {
    error.message += ` in ${work}`;
  }
  return error;
}

/** Moves what is new in a work folder into the output folder. When that fails, the output folder is unchanged. */
async function moveInto(
  outputDir: string,
  work: string,
  options: Pick<ReplaceOptions, 'clear' | 'removed'>,
): Promise<void> {
  try {
    await swap(work, outputDir, options);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
    // The output folder is a mount, such as a volume of a container.
    const inside = await createWorkFolderInside(outputDir);
    try {
      await cp(newIn(work), newIn(inside), { recursive: true, preserveTimestamps: true });
      await swap(inside, outputDir, options);
    } finally {
      if (!hasPlan(inside)) await removeWorkFolder(inside);
    }
  }
}

/**
 * Removes a folder and its parents, from the inside out, until one is not empty.
 *
 * @param options – `upTo`: the outermost one, as `mkdir` returns it: on Windows with the prefix `\\?\`.
 */
async function removeEmpty(folder: string, { upTo }: { upTo: string }): Promise<void> {
  const last = path.toNamespacedPath(upTo);
  for (
    let next = path.toNamespacedPath(folder);
    isInside(last, next) && (await readdir(next)).length === 0;
    next = path.dirname(next)
  ) {
    await rmdir(next);
  }
}
