import path from 'node:path';

import type { Plugin } from 'vite';

import { createJsonPlugin } from '../bundle/plugins/json-modules.ts';
import { createAssetPlugin } from '../bundle/plugins/assets.ts';
import type { Asset } from '../bundle/plugins/assets.ts';
import { toRealPath } from '../app/real-path.ts';
import type { ClientCheck } from '../secrets/client-check.ts';
import { createClientGuardPlugin } from '../secrets/client-guard.ts';
import { createUseServerPlugin } from '../secrets/foreign-exports.ts';
import type { SiteFiles } from './scan-pages.ts';
import { createSecretFilesPlugin } from '../secrets/secret-files.ts';
import { createServerOnlyPlugin } from '../bundle/plugins/server-only.ts';
import { createStripServerExportsPlugin } from '../secrets/strip-server-exports.ts';

/** Whether an absolute path is a page, a layout or the document. */
export function toPageTest(
  { pages, notFound, html }: Omit<SiteFiles, 'problems'>,
  projectRoot: string,
): (file: string) => boolean {
  const files = [...pages, ...notFound].flatMap(({ file, layouts }) => [file, ...layouts]);
  const sources = new Set(
    [...files, ...(html === undefined ? [] : [html])]
      .map((file) => path.join(projectRoot, file))
      .flatMap((file) => [file, toRealPath(file)]),
  );
  return (file) => sources.has(path.normalize(file));
}

/**
 * Makes the plugins that a site's client and server share, in an export as in development: server code stays on the
 * server, and assets are the same in both.
 */
export function createSitePlugins({
  projectRoot,
  toBase,
  isPage,
  report,
  onAsset,
}: ClientCheck & { toBase: () => string | undefined; onAsset: (asset: Asset) => void }): Plugin[] {
  const options = { projectRoot, isPage, report };
  const onServer = createServerOnlyPlugin() as Plugin;
  return [
    createStripServerExportsPlugin(options),
    createClientGuardPlugin({ ...options, environment: process.env }),
    createSecretFilesPlugin(options),
    createUseServerPlugin(options),
    { ...onServer, applyToEnvironment: ({ config }) => config.consumer === 'server' },
    createAssetPlugin(projectRoot, onAsset, toBase) as Plugin,
    // In development it exists without pages, too.
    { ...(createJsonPlugin() as Plugin), enforce: 'pre', apply: 'build' },
  ];
}
