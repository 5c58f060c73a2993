import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { toHash } from '../cache/file-state.ts';
import type { ShareableModule } from '../bundle/facades.ts';
import { hashPackage } from '../cache/tools.ts';
import { hasFile, hasViteConfig } from './config-files.ts';
import type { SiteBundleOptions } from './site-bundles.ts';
import { parseJson } from '../packages/parse-json.ts';
import { toClientDefine } from '../secrets/client-env.ts';

const POSTCSS_CONFIG = /^(?:postcss\.config\.[cm]?[jt]s|\.postcssrc(?:\.\w+)?)$/;

/**
 * Whether the app has its own plugins for its bundles. What these read is not known, so nothing of such bundles is
 * cached.
 */
function hasOwnTools(projectRoot: string): boolean {
  if (hasViteConfig(projectRoot)) return true;
  for (let folder = projectRoot; ; folder = path.dirname(folder)) {
    if (hasFile(folder, POSTCSS_CONFIG) || hasPostcssKey(path.join(folder, 'package.json'))) return true;
    if (folder === path.dirname(folder)) return false;
  }
}

function hasPostcssKey(manifest: string): boolean {
  if (!existsSync(manifest)) return false;
  const { postcss } = parseJson(readFileSync(manifest, 'utf8')) as { postcss?: unknown };
  return postcss !== undefined;
}

/** Variables that Vite depends on, or that the client contains. */
const READ_BY_VITE = /^(?:VITE_|ROLLDOWN_)/;

/**
 * Returns everything but files that the bundles of a site depend on.
 *
 * @returns nothing when this is not known: then nothing is cached.
 */
export async function toCacheKey(
  options: SiteBundleOptions,
  shareable: readonly ShareableModule[],
): Promise<unknown[] | undefined> {
  if (hasOwnTools(options.projectRoot)) return undefined;
  const { projectRoot, base, lists, minify, clientSourceMaps, serverSourceMaps, external, strictFetch, jobs } = options;
  const vite = await hashPackage(createRequire(path.join(projectRoot, 'package.json')).resolve('vite/package.json'));
  const environment = Object.entries(process.env).filter(([name]) => READ_BY_VITE.test(name));
  const withMaps = serverSourceMaps !== false;
  // A map of the client names sources by their path from the output.
  const mapsFrom = clientSourceMaps && path.relative(projectRoot, options.outputDir);
  const settings = {
    base,
    lists,
    minify,
    mapsFrom,
    withMaps,
    external,
    strictFetch,
    jobs,
    shareable: toHash(JSON.stringify(shareable)),
  };
  return ['site', vite, settings, toClientDefine(process.env), environment.toSorted()];
}
