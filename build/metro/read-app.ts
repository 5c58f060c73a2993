import { readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';

import { readAppConfig } from '../config/app-config.ts';
import { findRoutesFolder } from '../app/find-routes.ts';
import { formatProblem } from '../problem.ts';

/** The parts of the app config that a native build needs. */
export interface NativeApp {
  /** Where the app is deployed. */
  origin?: string;
  /** The path that the app is below, such as `/shop`. */
  base?: string;
  /** The absolute path of the routes folder. */
  routesFolder?: string;
}

// A config may be a promise, but a Metro config may not: so this is a separate program, which writes its result as
// JSON.
try {
  const projectRoot = realpathSync(process.argv[2] ?? '.');
  const { config, problems } = await readAppConfig(projectRoot);
  if (problems.length > 0) throw new Error(problems.map(formatProblem).join('\n'));
  const origin = readDeployment(projectRoot) ?? config.origin;
  const found = findRoutesFolder(projectRoot, { config });
  const app: NativeApp = {
    ...(origin === undefined ? {} : { origin: new URL(origin).origin }),
    ...(config.base === undefined ? {} : { base: config.base }),
    ...('folder' in found ? { routesFolder: found.folder } : {}),
  };
  process.stdout.write(`\n${JSON.stringify(app)}`);
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

/** Where `appkit deploy --native` has put the server for this build. Other builds do not use it. */
function readDeployment(projectRoot: string): string | undefined {
  // As that command reads it.
  if (['', '0', 'false'].includes((process.env['APPKIT_UNSTABLE_DEPLOY_SERVER'] ?? '').toLowerCase())) return undefined;
  try {
    const text = readFileSync(path.join(projectRoot, '.appkit/deployment.json'), 'utf8');
    return (JSON.parse(text) as { origin: string }).origin; // as that command writes it
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
