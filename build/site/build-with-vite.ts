import path from 'node:path';

import type { BuildEnvironment, Logger, Plugin, Rolldown, ViteBuilder } from 'vite';

import { listErrors, toBundlerFailure, toProblem } from '../bundle/bundler-log.ts';
import type { ReadModules } from '../cache/inputs.ts';
import type { ExternalUse } from '../packages/external-packages.ts';
import type { ShareableModule } from '../bundle/facades.ts';
import { ExportError } from '../problem.ts';
import type { Problem } from '../problem.ts';
import { toProjectPath } from '../app/project-path.ts';
import type { Asset } from '../bundle/plugins/assets.ts';
import { createDecoratorsPlugin } from '../bundle/plugins/decorators.ts';
import { createFileNamesPlugin } from '../bundle/plugins/file-names.ts';
import { createRuntimePlugin } from '../bundle/plugins/bundler-runtime.ts';
import { toFirstLine } from '../bundle/light-fetch.ts';
import { leaveChanged } from './changed-modules.ts';
import { createStrictMode } from '../bundle/plugins/strict-mode.ts';
import type { BuiltBundles, RenderChunk, SiteBundleOptions } from './site-bundles.ts';
import { createSitePlugins, toPageTest } from './client-plugins.ts';
import { loadVite } from './load-vite.ts';
import type { Vite } from './load-vite.ts';
import { toClientChunks } from './page-assets.ts';
import { recordClientModules } from '../secrets/prove-client.ts';
import type { SiteFiles } from './scan-pages.ts';
import { createEnvironmentPlugin } from './environment-plugin.ts';
import { createServerPlugins, forServer } from './server-plugins.ts';
import { createSharedModulesPlugin, toChunkWays } from './shared-modules.ts';
import { createShownPlacesPlugin } from '../secrets/shown-places.ts';
import { toViteConfig } from './vite-config.ts';

const UNKNOWN_RUNTIME =
  'appkit-build does not know the bundler of this Vite: a module of pages that throws when it loads fails until the ' +
  'server starts again. Update appkit-build.';

/** Both bundles, and the files that the bundler has read. */
export interface Built extends BuiltBundles {
  read: ReadModules;
  /** The code of every client module, by its id. */
  modules: ReadonlyMap<string, string>;
}

/**
 * Bundles a site with the project's Vite, for the client and for server rendering at the same time.
 *
 * @throws ExportError with the problems, those of the client first.
 */
export async function buildWithVite(
  site: SiteFiles,
  options: SiteBundleOptions,
  shareable: readonly ShareableModule[],
): Promise<Built> {
  const { projectRoot, signal } = options;
  const vite = await loadVite(projectRoot);
  const found: Problem[] = [];
  const assets: Asset[] = [];
  const external: ExternalUse[] = [];
  const externalOf = new Map<string, string[]>();
  const recorder = recordClientModules();
  const read = new Set<string>();
  const readPlugin = createReadPlugin(read);
  const report = (problem: Problem): void => void found.push(problem);
  const createPlugins = (): Plugin[] => [
    ...createSitePlugins({
      projectRoot,
      toBase: () => options.base,
      isPage: toPageTest(site, projectRoot),
      report,
      onAsset: (asset) => void assets.push(asset),
    }),
    createFileNamesPlugin(projectRoot, { report }) as Plugin,
  ];
  const onUse = (use: ExternalUse, importer: string): void => {
    external.push(use);
    externalOf.set(importer, [...(externalOf.get(importer) ?? []), use.specifier]);
  };
  const customLogger = createLogger(vite);
  const runtime = createRuntimePlugin({ onUnknown: () => customLogger.warn(UNKNOWN_RUNTIME) }) as Plugin;
  const { unchanged, warnings } = await leaveChanged(shareable, { vite, site, options });
  const serverModules = new Map<string, Rolldown.ModuleInfo>();
  const strictMode = createStrictMode(serverModules);
  const shared = new Set<ShareableModule>();
  const sharing = createSharedModulesPlugin({
    projectRoot,
    shareable: new Map(unchanged.map((module) => [module.id, module])),
    used: shared,
    isPage: toPageTest(site, projectRoot),
  });
  const plugins = [
    ...(unchanged.length > 0 ? [sharing] : []),
    createEnvironmentPlugin(),
    ...createServerPlugins(options, { onUse, report }),
    forServer(runtime),
    forServer(strictMode.plugin as Plugin),
    forServer(createInfoPlugin(serverModules)),
    ...createPlugins(),
    createDecoratorsPlugin(projectRoot, report) as Plugin,
    ...(options.lists.onRequest === undefined ? [] : [createShownPlacesPlugin({ projectRoot, report })]),
    recorder.plugin,
    readPlugin,
  ];
  const builder = await vite.createBuilder(
    toViteConfig({
      ...options,
      customLogger,
      plugins,
      strictMode,
      serverModules,
      workerPlugins: () => [...createPlugins(), recorder.workerPlugin, createReadPlugin(read)],
    }),
  );
  const { client, ssr } = toEnvironments(builder, plugins);
  const { built, rendering } = await buildBoth(builder, { client, ssr, projectRoot });
  // Otherwise the output would contain what it must not.
  if (found.length > 0) throw new ExportError(found);
  const renderChunks = (await rendering).output.filter((file) => file.type === 'chunk');
  signal?.throwIfAborted();
  return {
    chunks: toClientChunks(built.output),
    clientFiles: built.output.map(({ fileName }) => fileName),
    modules: recorder.modules,
    assets,
    serverModules: renderChunks.flatMap(({ moduleIds }) => moduleIds),
    renderChunks: renderChunks.map((chunk) =>
      toRenderChunk(chunk, { ...options, externalOf, isStrict: strictMode.isStrict(chunk) }),
    ),
    external,
    shared: [...shared].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    warnings,
    read: { modules: read },
  };
}

interface Environments {
  client: BuildEnvironment;
  ssr: BuildEnvironment;
}

/** @throws ExportError when a plugin of the app has removed one of ours. */
function toEnvironments({ environments }: ViteBuilder, plugins: readonly Plugin[]): Environments {
  const [client, ssr] = [environments['client'], environments['ssr']];
  if (!client || !ssr) throw new Error('Vite did not create the environments for the site.');
  const removed = plugins.find(
    ({ name }) => ![...client.plugins, ...ssr.plugins].some((plugin) => plugin.name === name),
  );
  if (removed) throw new ExportError([toRemoved(removed.name)]);
  return { client, ssr };
}

async function buildBoth(
  builder: ViteBuilder,
  { client, ssr, projectRoot }: Environments & { projectRoot: string },
): Promise<{ built: Rolldown.RolldownOutput; rendering: Promise<Rolldown.RolldownOutput> }> {
  const building = explainErrors(builder.build(client), projectRoot);
  const rendering = explainErrors(builder.build(ssr), projectRoot);
  // Problems of the client are reported first, then those found in both, and nothing is left running.
  await Promise.allSettled([building, rendering]);
  return { built: await building, rendering };
}

/** Prints warnings, but not that a bundle failed: the export reports why. */
function createLogger(vite: Vite): Logger {
  const logger = vite.createLogger('warn');
  const { error } = logger;
  logger.error = (message, options) => void (message.includes('Build failed in ') || error(message, options));
  return logger;
}

function toRenderChunk(
  { fileName, code, map, imports, dynamicImports, moduleIds }: Rolldown.OutputChunk,
  {
    projectRoot,
    renderFolder,
    externalOf,
    isStrict,
  }: SiteBundleOptions & { externalOf: ReadonlyMap<string, string[]>; isStrict: boolean },
): RenderChunk {
  // The bundler does not list what a CommonJS module loads with `require`.
  const required = moduleIds.flatMap((id) => externalOf.get(id) ?? []);
  const requires = [...new Set([...imports, ...dynamicImports, ...required].map(toChunkWays))];
  const line = toFirstLine(code, isStrict);
  const chunk = { fileName, code: `${line}${toChunkWays(code)}`, requires };
  if (!map) return chunk;
  const { sources, names, mappings } = map;
  const toSource = (source: string | null): string | null =>
    source && toProjectPath(projectRoot, path.resolve(renderFolder, source));
  return { ...chunk, map: { sources: sources.map(toSource), names, mappings: `${line === '' ? '' : ';'}${mappings}` } };
}

/** Explains an error in the words used for routes. Errors thrown by the app's plugins keep their own words. */
async function explainErrors(
  build: ReturnType<ViteBuilder['build']>,
  projectRoot: string,
): Promise<Rolldown.RolldownOutput> {
  try {
    return (await build) as Rolldown.RolldownOutput; // of an environment that is not watched
  } catch (error) {
    const errors = listErrors(error);
    if (errors.length === 0 || errors.some(({ code }) => code === undefined || code === 'PLUGIN_ERROR')) throw error;
    const failure = toBundlerFailure(errors);
    if (failure) throw failure;
    const problems = errors.map((log): Problem => {
      const problem = toProblem(log, { projectRoot, entry: 'package.json' });
      const { file, message, fix } = problem;
      // Only parsers know the lines of a source. Everything later has seen Vite's version of it.
      return log.code === 'PARSE_ERROR' ? problem : { file, message, fix };
    });
    throw new ExportError(problems);
  }
}

function toRemoved(name: string): Problem {
  const message = `The plugin ${name}, which keeps secrets out of the client, was removed.`;
  return { file: 'vite.config', message, fix: 'Let no plugin change the list of plugins.' };
}

/** Records everything that a bundler reads, for both bundles and those of workers. */
function createReadPlugin(read: Set<string>): Plugin {
  return {
    name: 'appkit:read-modules',
    buildEnd() {
      for (const id of this.getModuleIds()) read.add(id);
    },
  };
}

/** Records what the bundler knows of each module. */
function createInfoPlugin(modules: Map<string, Rolldown.ModuleInfo>): Plugin {
  return {
    name: 'appkit:module-infos',
    buildEnd() {
      for (const id of this.getModuleIds()) {
        const info = this.getModuleInfo(id);
        if (info) modules.set(id, info);
      }
    },
  };
}
