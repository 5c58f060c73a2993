import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { finishSwaps } from 'appkit-build/finish-swaps';
import { CommandError } from '../command-error.ts';

/** Where an exported app is on disk. */
export interface ExportedApp {
  /** The folder of the app. */
  root: string;
  /** The folder of static files, when the export has one. */
  client?: string;
  /** The folder of the server build, when the export has one. */
  server?: string;
  /** The path that the app is below, such as `/shop`. */
  base?: string;
  /** One HTML file serves every path that is not a file. */
  isSinglePage?: boolean;
}

/**
 * Finds the export of an app, and completes it if a killed export has left it half replaced. Links are resolved, since
 * one to the current release may lead to the next one while this one is served.
 *
 * @param directory – the folder of the app, or that of its export.
 * @param outputDir – the name of the export in the folder of the app.
 * @throws CommandError when the folder has no export.
 */
export async function findBuild(directory: string, outputDir: string): Promise<ExportedApp> {
  // The app's export wins over folders of the app that happen to be called client or server.
  const candidates = [path.resolve(directory, outputDir), path.resolve(directory)];
  for (const candidate of candidates) {
    await finishSwaps(candidate);
    const found = { root: realpathSync(toAppFolder(directory)), ...exportedAppIn(candidate) };
    if (found.client || found.server) return found;
  }
  const [expected = ''] = candidates;
  throw new CommandError(
    `${expected}: there is no exported app here.`,
    'Run `appkit export -p web` in the folder of the app first.',
  );
}

/** The folder of the app, even if the folder of its export is given. */
export function toAppFolder(directory: string): string {
  const folder = path.resolve(directory);
  const isApp = (candidate: string): boolean => existsSync(path.join(candidate, 'package.json'));
  const isExport = ['client', 'server'].some((part) => existsSync(path.join(folder, part)));
  return isExport && !isApp(folder) && isApp(path.dirname(folder)) ? path.dirname(folder) : folder;
}

function exportedAppIn(folder: string): Omit<ExportedApp, 'root'> {
  const client = path.join(folder, 'client');
  const server = path.join(folder, 'server');
  return {
    ...(exists(client) && { client: realpathSync(client) }),
    ...(exists(path.join(server, '_appkit', 'routes.json')) && { server: realpathSync(server) }),
    ...readSite(path.join(folder, 'site.json')),
  };
}

/** Throws where this user may not look: an app must not be served without its routes. */
function exists(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false }) !== undefined;
}

/** The known part of the app's config. An export without pages and without a base contains none. */
function readSite(file: string): Pick<ExportedApp, 'base' | 'isSinglePage'> {
  if (!existsSync(file)) return { isSinglePage: false };
  const { output, base } = JSON.parse(readFileSync(file, 'utf8')) as { output?: unknown; base?: string };
  return { isSinglePage: output === 'single', ...(base !== undefined && { base }) };
}
