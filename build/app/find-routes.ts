import { statSync } from 'node:fs';
import path from 'node:path';

import type { AppConfig } from '../config/app-config.ts';
import type { Problem } from '../problem.ts';
import { isInside } from './project-path.ts';

/** Finds the routes folder: the plugin option `root` if given, otherwise `app`, otherwise `src/app`. */
export function findRoutesFolder(
  projectRoot: string,
  { config }: { config: AppConfig },
): { folder: string; warnings: string[] } | Problem {
  if (config.root !== undefined) {
    const folder = path.resolve(projectRoot, config.root);
    const root = `The option root of appkit-router is "${config.root}"`;
    if (folder === projectRoot || !isInside(projectRoot, folder)) {
      return {
        file: config.file,
        message: `${root}, which is not a folder inside the project.`,
        fix: 'Name a folder below the project, such as "src/routes".',
      };
    }
    if (isFolder(folder)) return { folder, warnings: [] };
    return {
      file: config.file,
      message: `${root}, and there is no such folder.`,
      fix: 'Create it, or correct the path.',
    };
  }

  const [name, other] = ['app', 'src/app'].filter((folder) => isFolder(path.join(projectRoot, folder)));
  if (name === undefined) {
    return {
      file: 'app',
      message: 'There is no routes folder.',
      fix: 'Create app/hello+api.ts, or src/app/hello+api.ts.',
    };
  }
  return {
    folder: path.join(projectRoot, name),
    warnings: other ? [`Routes are read from ${name}; ${other} is not looked at.`] : [],
  };
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
