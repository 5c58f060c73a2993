import path from 'node:path';

import type { Plugin } from 'vite';

import type { Problem } from '../problem.ts';
import { type Asset, createAssetPlugin } from './assets.ts';
import { createClientGuardPlugin } from './client-guard.ts';
import type { SiteFiles } from './scan-pages.ts';
import { createServerOnlyPlugin } from './server-only.ts';
import { createStripServerExportsPlugin } from './strip-server-exports.ts';

/** Makes the plugins that both bundles of a site have: what is of the server stays there, and assets are the same in both. */
export function createSitePlugins(
  { pages, notFound, html }: SiteFiles,
  {
    projectRoot,
    report,
    onAsset,
  }: { projectRoot: string; report: (problem: Problem) => void; onAsset: (asset: Asset) => void },
): Plugin[] {
  const files = [...pages, ...notFound].flatMap(({ file, layouts }) => [file, ...layouts]);
  const sources = new Set(
    [...files, ...(html === undefined ? [] : [html])].map((file) => path.join(projectRoot, file)),
  );
  const options = { projectRoot, isPage: (file: string) => sources.has(path.normalize(file)), report };
  const onServer = createServerOnlyPlugin() as Plugin;
  return [
    createStripServerExportsPlugin(options),
    createClientGuardPlugin({ ...options, environment: process.env }),
    { ...onServer, applyToEnvironment: ({ config }) => config.consumer === 'server' },
    createAssetPlugin(projectRoot, onAsset) as Plugin,
  ];
}
