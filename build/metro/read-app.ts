import { realpathSync } from 'node:fs';

import { readAppConfig } from '../app-config.ts';
import { findRoutesFolder } from '../find-routes.ts';
import { formatProblem } from '../problem.ts';

/** What a native build needs of the app config. */
export interface NativeApp {
  /** Where the app is deployed. */
  origin?: string;
  /** The absolute path of the routes folder. */
  routesFolder?: string;
}

// A config may be a promise, and a Metro config may not: so this is a program, which writes what it found as JSON.
try {
  const projectRoot = realpathSync(process.argv[2] ?? '.');
  const { config, problems } = await readAppConfig(projectRoot);
  if (problems.length > 0) throw new Error(problems.map(formatProblem).join('\n'));
  const found = findRoutesFolder(projectRoot, { config });
  const app: NativeApp = {
    ...(config.origin === undefined ? {} : { origin: new URL(config.origin).origin }),
    ...('folder' in found ? { routesFolder: found.folder } : {}),
  };
  process.stdout.write(`\n${JSON.stringify(app)}`);
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
