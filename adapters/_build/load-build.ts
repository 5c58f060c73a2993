import { existsSync, realpathSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { codedError, toFetchBuild } from '../../runtime/host.ts';
import type { LoadableBuild, Manifest } from '../../runtime/host.ts';
import { toSource } from '../_http/options.ts';

/**
 * Returns the server build for the options `build` or `fetch`. If `build` names a folder, the build is loaded from it;
 * if it names a file, the first request loads it.
 *
 * @throws CodedError ERR_BUILD_MISSING when the folder does not contain a server build.
 */
export function loadBuild(options: { build?: unknown; fetch?: unknown }): unknown {
  const build = toSource(options);
  const isUrl = build instanceof URL || (typeof build === 'string' && build.startsWith('file:'));
  const folder = isUrl ? fileURLToPath(build) : build;
  if (typeof folder !== 'string') return folder;

  const manifestFile = manifestIn(folder);
  if (!existsSync(manifestFile)) {
    if (statSync(folder, { throwIfNoEntry: false })?.isFile()) return toFetchBuild(folder, () => importFile(folder));
    throw codedError(
      'ERR_BUILD_MISSING',
      `There is no server build in ${path.dirname(path.dirname(manifestFile))}. Run \`appkit export -p web\`, then set the ` +
        'option build to the folder dist/server.',
    );
  }
  // A link to the current release may lead to the next one before the last file of this build is loaded.
  return toServerBuild(manifestIn(realpathSync(folder)));
}

// Not path.resolve: the file tracer of Vercel and Netlify (@vercel/nft 1.11) reads it as "any such file of the
// project", and would include each of those files in the function, with everything it imports.
function manifestIn(folder: string): string {
  return fileURLToPath(new URL('_appkit/routes.json', `${pathToFileURL(folder)}/`));
}

// Not through index.js, which is for bundlers: with thousands of routes, Node reads JSON ten times faster than code.
function toServerBuild(manifestFile: string): LoadableBuild {
  // A server build is CommonJS, whatever the format of the file that loads it.
  const load = createRequire(manifestFile);
  return {
    manifest: readManifest(load, manifestFile),
    modules: (file) => (file.endsWith('.mjs') ? importFile(load.resolve(`../${file}`)) : load(`../${file}`)),
  };
}

function importFile(file: string): Promise<unknown> {
  return import(pathToFileURL(file).href);
}

function readManifest(load: NodeJS.Require, manifestFile: string): Manifest {
  try {
    return load(manifestFile) as Manifest; // checked by the handler
  } catch (error) {
    throw codedError(
      'ERR_BUILD_INVALID',
      `${manifestFile} cannot be read: ${(error as Error).message}. Export the app again: appkit export -p web.`,
    );
  }
}
