import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { codedError } from '../../runtime/host.ts';
import type { LoadableBuild, Manifest } from '../../runtime/host.ts';
import type { ServerOptions } from '../_http/options.ts';

/**
 * Returns the server build for the option `build`. If the option names a folder, the build is loaded from it.
 *
 * @throws CodedError ERR_BUILD_MISSING when the folder does not contain a server build.
 */
export function loadBuild(build: ServerOptions['build']): unknown {
  const isUrl = build instanceof URL || (typeof build === 'string' && build.startsWith('file:'));
  const folder = isUrl ? fileURLToPath(build) : build;
  if (typeof folder !== 'string') return folder;

  // Not path.resolve: the file tracer of Vercel and Netlify (@vercel/nft 1.11) reads it as "any such file of the project", and // each would
  // become part of the function, with all that it imports.
  const manifestFile = fileURLToPath(new URL('_appkit/routes.json', `${pathToFileURL(folder)}/`));
  if (!existsSync(manifestFile)) {
    throw codedError(
      'ERR_BUILD_MISSING',
      `There is no server build in ${path.dirname(path.dirname(manifestFile))}. Run \`appkit export -p web\`, then set the ` +
        'option build to the folder dist/server.',
    );
  }
  return toServerBuild(manifestFile);
}

// Not through index.js, which is for bundlers: with thousands of routes, Node reads JSON ten times faster than code.
function toServerBuild(manifestFile: string): LoadableBuild {
  // A server build is CommonJS, whatever the file that uses it is.
  const load = createRequire(manifestFile);
  return { manifest: readManifest(load, manifestFile), modules: (file) => load(`../${file}`) };
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
