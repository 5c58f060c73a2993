import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';

import { readAppConfig } from '../config/app-config.ts';
import type { AppConfig } from '../config/app-config.ts';
import { findMissingPackages } from '../packages/external-packages.ts';
import { findRoutesFolder } from './find-routes.ts';
import { findMisplacedHandlers } from './misplaced-handlers.ts';
import { ExportError } from '../problem.ts';
import type { Problem } from '../problem.ts';
import { scanRoutes, UNREADABLE } from './scan.ts';
import type { RouteFiles } from './scan.ts';

/** An app as its config and its file names describe it, before any of it is bundled. */
export interface App extends Omit<RouteFiles, 'problems' | 'warnings'> {
  /** The real path: the bundler follows links, so paths relative to any other would leave the project. */
  projectRoot: string;
  /** Absent when the app has no such folder, which is then among the problems. */
  routesFolder?: string;
  config: AppConfig;
  problems: Problem[];
  warnings: string[];
}

/**
 * Reads the config of a project and lists its routes.
 *
 * @throws ExportError when the project does not exist or its config cannot be read.
 */
export async function loadApp(folder: string): Promise<App> {
  if (!existsSync(folder)) {
    throw new ExportError([{ file: folder, message: 'The folder does not exist.', fix: 'Name the folder of an app.' }]);
  }
  const projectRoot = await realpath(path.resolve(folder));
  // On Windows, it is the separator of folders.
  const [unreadable] = UNREADABLE.exec(projectRoot.replaceAll(path.sep, '/')) ?? [];
  if (unreadable !== undefined) {
    const message = `Bundlers cannot read files below a folder with ${unreadable} in its name.`;
    throw new ExportError([{ file: projectRoot, message, fix: 'Rename that folder, or move the app out of it.' }]);
  }
  const { config, problems } = await readAppConfig(projectRoot);
  problems.push(...findMissingPackages(config.external, { projectRoot, file: config.file }));

  const found = findRoutesFolder(projectRoot, { config });
  if ('message' in found) {
    return {
      projectRoot,
      config,
      routes: [],
      middleware: [],
      jobs: [],
      pages: [],
      problems: [...problems, found],
      warnings: [],
    };
  }
  const scanned = await scanRoutes(found.folder, { projectRoot });
  const misplaced = findMisplacedHandlers(scanned.pages, { projectRoot });
  return {
    ...scanned,
    // Otherwise a user who follows the advice to export without pages would lose these routes.
    pages: scanned.pages.filter((page) => !misplaced.some(({ file }) => file === page)),
    projectRoot,
    routesFolder: found.folder,
    config,
    problems: [...problems, ...scanned.problems, ...misplaced],
    warnings: [...found.warnings, ...scanned.warnings],
  };
}
