import { describeApp, ExportError, findMissingForSite } from 'appkit-build';
import { printWarning } from '../report/error.ts';
import { loadReactPlugin, REACT_PLUGIN } from './load-react-plugin.ts';
import { loadVite } from './load-vite.ts';
import { createPageSite } from './page-site.ts';
import type { DevSite } from './site.ts';

/** Makes the pages of an app, if it has any and what they need is installed. */
export async function createSite(projectRoot: string): Promise<DevSite | undefined> {
  if (!(await mayHavePages(projectRoot)) || findMissingForSite(projectRoot).length > 0) return undefined;
  const { vite } = await loadVite(projectRoot);
  const found = await vite.loadConfigFromFile({ command: 'serve', mode: 'development' }, undefined, projectRoot);
  const config = found?.config ?? {};
  const hasOwn = (await toNames(config.plugins)).includes('vite:react-refresh');
  const react = hasOwn ? undefined : await loadReactPlugin(projectRoot);
  const hasRefresh = hasOwn || react !== undefined;
  if (!hasRefresh)
    printWarning(`${REACT_PLUGIN} is not installed: a page that is changed loads anew and loses its state.`);
  return { ...createPageSite(projectRoot, { react, hasRefresh }), config };
}

/** An app that cannot be read yet may have pages once it can. */
async function mayHavePages(projectRoot: string): Promise<boolean> {
  try {
    return (await describeApp({ projectRoot })).site !== undefined;
  } catch (error) {
    if (error instanceof ExportError) return true;
    throw error;
  }
}

/** The names of plugins, which may be nested, promised, or switched off. */
async function toNames(plugins: unknown): Promise<string[]> {
  const plugin = await plugins;
  if (Array.isArray(plugin)) return (await Promise.all(plugin.map(toNames))).flat();
  return plugin ? [(plugin as { name: string }).name] : [];
}
