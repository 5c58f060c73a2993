import path from 'node:path';

/**
 * The folder of the files whose URLs are below the app's base: `client/shop`, so that every host that serves `client`
 * finds them there.
 *
 * @param client – `dist/client`, or the folder that becomes it.
 */
export function toClientFolder(client: string, base: string | undefined): string {
  return path.join(client, base ?? '');
}

/** The folder of the files named after their content, relative to `dist/client`. */
export function toAssetFolder(base = ''): string {
  return path.posix.join(base.slice(1), '_appkit/assets');
}
