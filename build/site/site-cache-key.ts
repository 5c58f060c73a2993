import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { toHash } from '../cache/file-state.ts';
import type { ShareableModule } from '../bundle/facades.ts';
import { hashPackage } from '../cache/tools.ts';
import type { SiteBundleOptions } from './site-bundles.ts';
import { toClientDefine } from '../secrets/client-env.ts';

const VITE_CONFIG = /^vite\.config\.[cm]?[jt]s$/;
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

/** Whether the app has a configuration of Vite. */
export function hasViteConfig(projectRoot: string): boolean {
  return hasFile(projectRoot, VITE_CONFIG);
}

function hasFile(folder: string, name: RegExp): boolean {
  return readNames(folder).some((other) => name.test(other));
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A folder above the project may be unreadable.
    return [];
  }
}

function hasPostcssKey(manifest: string): boolean {
  if (!existsSync(manifest)) return false;
  const { postcss }: { postcss?: unknown } = JSON.parse(readFileSync(manifest, 'utf8'));
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
