import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as ViteApi from 'vite';
import type * as RunnerApi from 'vite/module-runner';
import { CommandError } from '../command-error.ts';

const OLDEST = 8;
const INSTALL = `Install it in the folder of the app: npm install --save-dev vite@${OLDEST}`;

/** Vite, as the app has it installed. */
export interface LoadedVite {
  vite: typeof ViteApi;
  runner: typeof RunnerApi;
}

/**
 * Loads Vite from where the app is. It is an optional peer: apps that are only exported and served do not need it.
 *
 * @param user – the command or function that needs it, for the message.
 * @throws CommandError when it is not installed there or is too old, or a `package.json` is not JSON.
 */
export async function loadVite(projectRoot: string, user = 'appkit start'): Promise<LoadedVite> {
  const { resolve } = createRequire(path.join(projectRoot, 'package.json'));
  const find = (name: string): string => {
    try {
      return resolve(name);
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_PACKAGE_CONFIG')
        throw new CommandError(error.message, 'It is not JSON: correct the syntax.', { cause: error });
      throw new CommandError(`${user} needs Vite, which is not installed.`, INSTALL, { cause: error });
    }
  };
  const manifest = JSON.parse(readFileSync(find('vite/package.json'), 'utf8')) as { version: string };
  if (Number.parseInt(manifest.version, 10) < OLDEST) {
    throw new CommandError(`${user} needs Vite ${OLDEST}, and ${manifest.version} is installed.`, INSTALL);
  }
  const load = async <T>(name: string): Promise<T> => (await import(pathToFileURL(find(name)).href)) as T;
  return { vite: await load('vite'), runner: await load('vite/module-runner') };
}
