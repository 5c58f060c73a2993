import path from 'node:path';

/**
 * The folder of the files whose URLs are below the base of the app: `client/shop`, so that every host that serves `client` has them there.
 *
 * @param client – `dist/client`, or the folder that becomes it.
 */
export function toClientFolder(client: string, base: string | undefined): string {
  return path.join(client, base ?? '');
}

/** The folder of the files that are named by their content, relative to `dist/client`. */
export function toAssetFolder(base = ''): string {
  return path.posix.join(base.slice(1), '_appkit/assets');
}
