import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { codedError } from '../../runtime/host.ts';
import type { ServerBuild } from '../../runtime/host.ts';

/** An app's sources, run by `appkit-cli/sources` as in `appkit start`. */
export interface AppSources {
  /** What an export of the app would contain in `dist/server`. */
  build: ServerBuild;
  /** Answers with a file from the folder `public`. Returns `undefined` if no file matches the request. */
  answerFile(request: Request): Promise<Response> | undefined;
  /** Imports a file of the app, by its path in the app. All importers share one module. */
  load(file: string): Promise<Record<string, unknown>>;
  /** Stops running the sources. */
  close(): Promise<void>;
}

/** The exports of `appkit-cli/sources`. */
interface SourcesModule {
  loadSources(projectRoot: string): Promise<AppSources>;
}

/**
 * Loads an app's sources with the `appkit-cli` that is installed in the app: it is a development tool, and this package
 * has no dependencies.
 *
 * @throws CodedError ERR_TEST_APP when the app does not have it, and in Jest.
 */
export async function loadSources(folder: string): Promise<AppSources> {
  const { resolve } = createRequire(path.join(folder, 'package.json'));
  let file: string;
  try {
    file = resolve('appkit-cli/sources');
  } catch (error) {
    const message =
      `${folder} does not have appkit-cli, whose Vite runs the sources of an app. ` +
      'Add it to the package.json there, with vite, as a new app has both, or give the folder of the app by the option app.';
    throw Object.assign(codedError('ERR_TEST_APP', message), { cause: error });
  }
  try {
    // Only Node resolves modules in node_modules, whatever runs the test.
    const { loadSources } = (await import(pathToFileURL(file).href)) as SourcesModule;
    return await loadSources(folder);
  } catch (error) {
    throw isJest() ? noJest(error) : error;
  }
}

// `bun test` sets the variable, too.
function isJest(): boolean {
  return process.env['JEST_WORKER_ID'] !== undefined && process.versions['bun'] === undefined;
}

function noJest(cause: unknown): Error {
  const message =
    'Vite, which runs the sources of an app, does not work inside Jest, which loads modules in its own way. ' +
    'Use vitest, node:test or bun test for createTestApp. In Jest, call the functions that a route exports.';
  return Object.assign(codedError('ERR_TEST_APP', message), { cause });
}
