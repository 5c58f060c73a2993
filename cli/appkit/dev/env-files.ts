import { existsSync } from 'node:fs';
import path from 'node:path';
import type * as ViteApi from 'vite';
import { CommandError } from '../command-error.ts';
import { withoutMark } from '../env-file.ts';

/**
 * Sets the variables of the `.env` files of a project, as Vite reads them for a mode. Variables that are already set
 * win.
 *
 * @returns the names of the files that exist, the one with the highest precedence last.
 * @throws CommandError for a mode that Vite does not have.
 */
export function loadEnvFiles(
  { loadEnv }: Pick<typeof ViteApi, 'loadEnv'>,
  projectRoot: string,
  mode: string,
): string[] {
  if (mode === 'local') {
    throw new CommandError(
      'NODE_ENV is local, and Vite has no such mode: .env.local is read in all of them.',
      'Give it another name, such as development.',
    );
  }
  // Vite leaves a byte order mark in a name. The same name without one may come from a file of lower precedence, which is earlier.
  const variables = Object.entries(loadEnv(mode, projectRoot, '')).toReversed();
  for (const [name, value] of variables) process.env[withoutMark(name)] ??= value;
  return toNames(mode).filter((name) => existsSync(path.join(projectRoot, name)));
}

/** Whether {@link loadEnvFiles} reads a file of this name for a mode, if it exists. */
export function isEnvFile(file: string, { projectRoot, mode }: { projectRoot: string; mode: string }): boolean {
  return path.dirname(file) === projectRoot && toNames(mode).includes(path.basename(file));
}

function toNames(mode: string): string[] {
  return ['.env', '.env.local', `.env.${mode}`, `.env.${mode}.local`];
}
