import path from 'node:path';
import { findMissingForSite, toConfigError } from 'appkit-build/development';
import { loadReactPlugin } from './load-react-plugin.ts';
import { loadVite } from './load-vite.ts';
import { createPageSite } from './page-site.ts';
import type { DevSite } from './site.ts';

/**
 * Creates the development support for pages if its packages are installed, even before the app has a page.
 *
 * @param options – `isTested`: no browser shows the pages, and they answer as in an export.
 */
export async function createSite(
  projectRoot: string,
  { isTested = false }: { isTested?: boolean } = {},
): Promise<DevSite | undefined> {
  if (findMissingForSite(projectRoot).length > 0) return undefined;
  const { vite } = await loadVite(projectRoot);
  const found = await vite
    .loadConfigFromFile({ command: 'serve', mode: 'development' }, undefined, projectRoot, 'silent')
    .catch((error: unknown) => {
      throw toConfigError(error, projectRoot);
    });
  const read = {
    config: found?.config ?? {},
    configFiles: (found?.dependencies ?? []).map((file) => path.resolve(projectRoot, file)),
  };
  if (isTested) return { ...createPageSite(projectRoot, { react: undefined, hasRefresh: false, isTested }), ...read };
  const hasOwn = (await toNames(read.config.plugins)).includes('vite:react-refresh');
  const react = hasOwn ? undefined : await loadReactPlugin(projectRoot);
  return { ...createPageSite(projectRoot, { react, hasRefresh: hasOwn || react !== undefined, isTested }), ...read };
}

/** The names of plugins, which may be nested, promised, or switched off. */
async function toNames(plugins: unknown): Promise<string[]> {
  const plugin = await plugins;
  if (Array.isArray(plugin)) return (await Promise.all(plugin.map(toNames))).flat();
  return plugin ? [(plugin as { name: string }).name] : [];
}
