import { existsSync } from 'node:fs';
import path from 'node:path';
import type * as ViteApi from 'vite';

/**
 * Sets the variables of the `.env` files of a project, as Vite reads them for a mode. Those that are set already win.
 *
 * @returns the names of the files that are there, the strongest last.
 */
export function loadEnvFiles(
  { loadEnv }: Pick<typeof ViteApi, 'loadEnv'>,
  projectRoot: string,
  mode: string,
): string[] {
  for (const [name, value] of Object.entries(loadEnv(mode, projectRoot, ''))) process.env[name] ??= value;
  const names = ['.env', '.env.local', `.env.${mode}`, `.env.${mode}.local`];
  return names.filter((name) => existsSync(path.join(projectRoot, name)));
}

/** Whether a file is one that {@link loadEnvFiles} may have read. */
export function isEnvFile(file: string, projectRoot: string): boolean {
  return path.dirname(file) === projectRoot && /^\.env(?:\.|$)/.test(path.basename(file));
}
