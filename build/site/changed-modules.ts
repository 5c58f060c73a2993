import type { InlineConfig, Plugin } from 'vite';

import { toProjectPath } from '../app/project-path.ts';
import type { ShareableModule } from '../bundle/facades.ts';
import { createSitePlugins, toPageTest } from './client-plugins.ts';
import { hasViteConfig } from './config-files.ts';
import type { Vite } from './load-vite.ts';
import type { SiteFiles } from './scan-pages.ts';
import { createServerPlugins, forServer } from './server-plugins.ts';
import type { SiteBundleOptions } from './site-bundles.ts';
import { toViteConfig } from './vite-config.ts';

/** How many files a warning names. */
const SHOWN = 3;
/** Hooks that write something, or tell that it was written. */
const WRITING = ['renderStart', 'renderChunk', 'augmentChunkHash', 'generateBundle', 'writeBundle', 'closeBundle'];

/** What finding changed modules depends on. */
interface Probed {
  vite: Vite;
  site: SiteFiles;
  options: SiteBundleOptions;
}

/**
 * Leaves out the modules that mean something different to pages than to routes, with everything that imports them: the
 * app's `vite.config` has a plugin that changes them.
 */
export async function leaveChanged(
  shareable: readonly ShareableModule[],
  { vite, site, options }: Probed,
): Promise<{ unchanged: readonly ShareableModule[]; warnings: string[] }> {
  const { projectRoot } = options;
  if (shareable.length === 0 || !hasViteConfig(projectRoot)) return { unchanged: shareable, warnings: [] };
  const { reasons, all } = await findChanged(shareable, { vite, site, options });
  const isPage = toPageTest(site, projectRoot);
  const named = shareable.filter(({ id }) => reasons.has(id) && !isPage(id));
  const byReason = Map.groupBy(named, ({ id }) => reasons.get(id) ?? '');
  const warnings = [...byReason].map(([reason, modules]) => {
    const files = modules.map(({ id }) => toProjectPath(projectRoot, id)).toSorted();
    const more = files.length > SHOWN ? ` and ${files.length - SHOWN} more` : '';
    return `vite.config: ${reason} changes ${files.slice(0, SHOWN).join(', ')}${more} for pages. So pages and routes each have their own copy of that and of what imports it. Move what they share into another file.`;
  });
  return { unchanged: shareable.filter(({ id }) => !all.has(id)), warnings: warnings.toSorted() };
}

/** Modules that the app's `vite.config` changes for pages. */
interface ChangedModules {
  /** What changes them, by their ids. */
  reasons: ReadonlyMap<string, string>;
  /** The same modules, and everything that imports them. */
  all: ReadonlySet<string>;
}

/** Only Vite knows what it changes: it bundles the code that renders pages one time more, and nobody uses this bundle. */
async function findChanged(
  shareable: readonly ShareableModule[],
  { vite, site, options }: Probed,
): Promise<ChangedModules> {
  const reasons = new Map<string, string>();
  const all = new Set<string>();
  const watching: Plugin = {
    name: 'appkit:changed-modules',
    buildEnd() {
      for (const id of reasons.keys()) all.add(id);
      // Items added while the loop runs are visited as well.
      for (const id of all) {
        const info = this.getModuleInfo(id);
        for (const importer of [...(info?.importers ?? []), ...(info?.dynamicImporters ?? [])]) all.add(importer);
      }
    },
  };
  const config = toProbeConfig({ vite, site, options }, watching);
  const plain = (await vite.createBuilder({ ...config, configFile: false })).environments['ssr'];
  const builder = await vite.createBuilder(config);
  const { ssr } = builder.environments;
  if (!ssr || !plain) throw new Error('Vite did not create the environments for the site.');
  const known = new Set(plain.plugins.map(({ name }) => name));
  const own = ssr.plugins.filter(({ name }) => !known.has(name));
  const isOwnUsed = own.some(({ load, transform }) => [load, transform].some((hook) => mayChange(hook, shareable)));
  if (!isOwnUsed) return { reasons, all };
  const plugins = ssr.plugins.map((plugin) => (own.includes(plugin) ? watch(plugin, reasons) : plugin));
  (ssr.plugins as Plugin[]).splice(0, plugins.length, ...plugins); // Vite reads the list when it builds.
  options.signal?.throwIfAborted();
  // If it fails, so does the bundle that is used, which says why.
  await builder.build(ssr).catch(() => undefined);
  return { reasons, all };
}

/** The configuration of the code that renders pages, without anything that reports or shares modules. */
function toProbeConfig({ vite, site, options }: Probed, watching: Plugin): InlineConfig {
  const { projectRoot } = options;
  const ignore = (): void => undefined;
  const sitePlugins = (): Plugin[] =>
    createSitePlugins({
      projectRoot,
      toBase: () => options.base,
      isPage: toPageTest(site, projectRoot),
      report: ignore,
      onAsset: ignore,
    });
  return toViteConfig({
    ...options,
    minify: false,
    serverSourceMaps: false,
    customLogger: vite.createLogger('silent'),
    plugins: [
      forServer(watching),
      ...createServerPlugins(options, { onUse: ignore, report: ignore }),
      ...sitePlugins(),
    ],
    workerPlugins: sitePlugins,
  });
}

/** Whether a hook may be called for any of these modules, as far as regular expressions in its filter tell. */
function mayChange(hook: Plugin['load'] | Plugin['transform'], modules: readonly ShareableModule[]): boolean {
  if (!hook) return false;
  const id = 'filter' in hook ? hook.filter?.id : undefined;
  const included = [typeof id === 'object' && 'include' in id ? id.include : id].flat();
  return included.some(
    (filter) => !(filter instanceof RegExp) || modules.some((module) => module.id.search(filter) >= 0),
  );
}

/** A copy of a plugin that notes which modules it changes, and writes nothing. */
function watch(plugin: Plugin, reasons: Map<string, string>): Plugin {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(plugin) as object) as Plugin, plugin);
  for (const hook of WRITING) if (hook in copy) Reflect.set(copy, hook, undefined);
  const note = (id: unknown): void => void reasons.set(String(id), `The plugin ${plugin.name}`);
  if (plugin.load) copy.load = watchHook(plugin.load, (_, [id]) => note(id));
  if (plugin.transform) {
    copy.transform = watchHook(plugin.transform, (code, [before, id]) => {
      if (code !== before) note(id);
    });
  }
  return copy;
}

/** A hook that also passes on the code that it returns, with its arguments. */
function watchHook<T extends object>(hook: T, onCode: (code: string, args: unknown[]) => void): T {
  const handler = 'handler' in hook ? hook.handler : hook;
  async function watched(this: unknown, ...args: unknown[]): Promise<unknown> {
    const result: unknown = await Reflect.apply(handler as (...args: unknown[]) => unknown, this, args);
    const code = typeof result === 'object' && result !== null && 'code' in result ? result.code : result;
    if (code !== undefined && code !== null) onCode(String(code), args);
    return result;
  }
  return ('handler' in hook ? { ...hook, handler: watched } : watched) as T; // It is called as the hook is.
}
