import { readFileSync } from 'node:fs';
import path from 'node:path';

import { toHash } from '../cache/file-state.ts';
import { writeFileIn } from '../output/write-file.ts';
import { buildWithVite } from './build-with-vite.ts';
import { forProduction } from '../pages/for-production.ts';
import { findHiddenInputs } from '../cache/hidden-inputs.ts';
import type { SiteFiles } from './scan-pages.ts';
import { toCacheKey } from './site-cache-key.ts';
import type { BuiltBundles, ClientModules, SiteBundleOptions, SiteBundles } from './site-bundles.ts';

/**
 * Bundles a site, or takes both bundles from an earlier export.
 *
 * @throws ExportError with the problems of the client.
 */
export async function bundleSite(site: SiteFiles, options: SiteBundleOptions): Promise<SiteBundles> {
  const { clientFolder, cache } = options;
  const shareable = options.lists.onRequest === undefined ? [] : ((await options.shareable) ?? []);
  const key = cache && (await toCacheKey(options, shareable));
  const found = key && cache?.find(key);
  if (found) {
    const finish = (): void => {
      for (const [name, content] of found.files) if (name !== CLIENT_MODULES) writeFileIn(clientFolder, name, content);
    };
    const clientModules = toClientModules(found.files.get(CLIENT_MODULES) ?? Buffer.from('[]'));
    return { ...(found.value as BuiltBundles), clientModules, finish };
  }
  await options.routes;
  options.signal?.throwIfAborted();
  const { read, modules, ...value } = await forProduction(() => buildWithVite(site, options, shareable));
  const code = Buffer.from(JSON.stringify([...modules]));
  const finish = (): void => {
    const hidden = findHiddenInputs(read.modules);
    // For an external package, more inputs count than the files in the bundle.
    if (!key || hidden === undefined || value.external.length > 0) return;
    const files = new Map([[CLIENT_MODULES, code]]);
    for (const name of value.clientFiles) files.set(name, readFileSync(path.join(clientFolder, name)));
    cache?.keep(key, { modules: [...read.modules, ...hidden] }, { value, files });
  };
  return { ...value, clientModules: toClientModules(code), finish };
}

/** The name under which the cache stores the code of the client's modules. No file has this name. */
const CLIENT_MODULES = '';

function toClientModules(code: Buffer): ClientModules {
  return { hash: toHash(code), read: () => new Map(JSON.parse(code.toString()) as [string, string][]) };
}
