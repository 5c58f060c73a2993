import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import type { Logger, Plugin, Rolldown, ViteBuilder } from 'vite';

import { createExternalPlugin, type ExternalUse } from '../external-packages.ts';
import { listErrors, toProblem } from '../bundler-log.ts';
import type { BundleCache } from '../cache/bundle-cache.ts';
import { toHash } from '../cache/file-state.ts';
import type { ReadModules } from '../cache/inputs.ts';
import { hashPackage } from '../cache/tools.ts';
import { ExportError, type Problem } from '../problem.ts';
import { toProjectPath } from '../project-path.ts';
import type { BundleMap } from '../source-map.ts';
import { writeFileIn } from '../write-file.ts';
import type { SourceMapMode } from '../write-server.ts';
import type { Asset } from './assets.ts';
import { toClientDefine } from './client-env.ts';
import { createSitePlugins, toPageTest } from './client-plugins.ts';
import { forProduction } from './for-production.ts';
import { findHiddenInputs } from './hidden-inputs.ts';
import { loadVite, type Vite } from './load-vite.ts';
import { type ClientChunk, toClientChunks } from './page-assets.ts';
import type { PageLists } from './page-lists.ts';
import { recordClientModules } from './prove-client.ts';
import type { SiteFiles } from './scan-pages.ts';
import { toViteConfig } from './vite-config.ts';

/** What the bundles of a site depend on beside its files. */
export interface SiteBundleOptions {
  projectRoot: string;
  lists: PageLists;
  clientFolder: string;
  /** Where what renders pages would be, were it written. */
  renderFolder: string;
  minify: boolean;
  clientSourceMaps: boolean;
  serverSourceMaps: SourceMapMode;
  /** Packages that the server bundle leaves outside. */
  external: readonly string[];
  /** Where the export goes. */
  outputDir: string;
  /** Bundles of former exports. */
  cache?: BundleCache | undefined;
  /** Waited for before a site is bundled: two bundlers at once take longer than one after the other. */
  routes?: Promise<unknown>;
  signal?: AbortSignal | undefined;
}

/** Both bundles of a site: what the browser loads, and what renders pages on the server. */
export interface SiteBundles {
  chunks: ClientChunk[];
  /** What was written for the client, relative to its folder. */
  clientFiles: string[];
  clientModules: ClientModules;
  /** Files that modules of the site import. */
  assets: Asset[];
  /** The modules of the bundle that renders pages. */
  serverModules: string[];
  /** That bundle. */
  renderChunks: RenderChunk[];
  /** The modules that it leaves outside. */
  external: ExternalUse[];
  /**
   * Writes what of the client has not been written, and keeps the bundles for later exports. It takes a while, so whatever else is
   * to be waited for is better begun before.
   */
  finish(): void;
}

/** What of bundles goes into the cache as it is. */
type BuiltBundles = Omit<SiteBundles, 'clientModules' | 'finish'>;

/** A file of code that renders pages. */
export interface RenderChunk {
  fileName: string;
  code: string;
  /** Absent without maps. Its sources are relative to the project. */
  map?: BundleMap;
  /** The files of code and the modules outside that it asks for, at once or later. */
  requires: string[];
}

/** The code of every module of the client, by its id. Asked for only when something has changed. */
export interface ClientModules {
  hash: string;
  read(): ReadonlyMap<string, string>;
}

/**
 * Bundles a site, or takes both bundles as a former export has left them.
 *
 * @throws ExportError with the problems of the client.
 */
export async function bundleSite(site: SiteFiles, options: SiteBundleOptions): Promise<SiteBundles> {
  const { projectRoot, clientFolder, cache } = options;
  const key = cache && !hasOwnTools(projectRoot) ? await toCacheKey(options) : undefined;
  const found = key && cache?.find(key);
  if (found) {
    const finish = (): void => {
      for (const [name, content] of found.files) if (name !== MODULES) writeFileIn(clientFolder, name, content);
    };
    const clientModules = toClientModules(found.files.get(MODULES) ?? Buffer.from('[]'));
    return { ...(found.value as BuiltBundles), clientModules, finish };
  }
  await options.routes;
  options.signal?.throwIfAborted();
  const { read, modules, ...value } = await forProduction(() => buildWithVite(site, options));
  const code = Buffer.from(JSON.stringify([...modules]));
  const finish = (): void => {
    const hidden = findHiddenInputs(read.modules);
    // Of an external package more counts than the files in the bundle.
    if (!key || hidden === undefined || value.external.length > 0) return;
    const files = new Map([[MODULES, code]]);
    for (const name of value.clientFiles) files.set(name, readFileSync(path.join(clientFolder, name)));
    cache?.keep(key, { modules: [...read.modules, ...hidden] }, { value, files });
  };
  return { ...value, clientModules: toClientModules(code), finish };
}

/** The name under which the cache has the code of the client's modules. No file is called so. */
const MODULES = '';

function toClientModules(code: Buffer): ClientModules {
  return { hash: toHash(code), read: () => new Map(JSON.parse(code.toString()) as [string, string][]) };
}

async function buildWithVite(
  site: SiteFiles,
  options: SiteBundleOptions,
): Promise<BuiltBundles & { read: ReadModules; modules: ReadonlyMap<string, string> }> {
  const { projectRoot, signal } = options;
  const vite = await loadVite(projectRoot);
  const found: Problem[] = [];
  const assets: Asset[] = [];
  const external: ExternalUse[] = [];
  const externalOf = new Map<string, string[]>();
  const recorder = recordClientModules();
  const read = new Set<string>();
  const readPlugin = createReadPlugin(read);
  const createPlugins = (): Plugin[] =>
    createSitePlugins({
      projectRoot,
      isPage: toPageTest(site, projectRoot),
      report: (problem) => void found.push(problem),
      onAsset: (asset) => void assets.push(asset),
    });
  const outside = createExternalPlugin(options.external, {
    projectRoot,
    onUse(use, importer) {
      external.push(use);
      externalOf.set(importer, [...(externalOf.get(importer) ?? []), use.specifier]);
    },
    report: (problem) => void found.push(problem),
  }) as Plugin[];
  const plugins = [
    ...outside.map((plugin) => ({ ...plugin, enforce: 'pre' as const, applyToEnvironment: isForServer })),
    ...createPlugins(),
    recorder.plugin,
    readPlugin,
  ];
  const builder = await vite.createBuilder(
    toViteConfig({
      ...options,
      customLogger: createLogger(vite),
      plugins,
      workerPlugins: () => [...createPlugins(), recorder.workerPlugin, createReadPlugin(read)],
    }),
  );
  const [client, ssr] = [builder.environments['client'], builder.environments['ssr']];
  if (!client || !ssr) throw new Error('Vite has made no environments for the site.');
  const removed = plugins.find(
    ({ name }) => ![...client.plugins, ...ssr.plugins].some((plugin) => plugin.name === name),
  );
  if (removed) throw new ExportError([toRemoved(removed.name)]);
  const building = explainErrors(builder.build(client), projectRoot);
  const rendering = explainErrors(builder.build(ssr), projectRoot);
  // What is wrong with the client is told first, and nothing is left running.
  await Promise.allSettled([building, rendering]);
  const built = await building;
  // Else what is built would have what it must not.
  if (found.length > 0) throw new ExportError(found);
  const renderChunks = (await rendering).output.filter((file) => file.type === 'chunk');
  signal?.throwIfAborted();
  return {
    chunks: toClientChunks(built.output),
    clientFiles: built.output.map(({ fileName }) => fileName),
    modules: recorder.modules,
    assets,
    serverModules: renderChunks.flatMap(({ moduleIds }) => moduleIds),
    renderChunks: renderChunks.map((chunk) => toRenderChunk(chunk, { ...options, externalOf })),
    external,
    read: { modules: read },
  };
}

/** Tells warnings, and not for each bundle that it failed: why it did is told by the export. */
function createLogger(vite: Vite): Logger {
  const logger = vite.createLogger('warn');
  const { error } = logger;
  logger.error = (message, options) => void (message.includes('Build failed in ') || error(message, options));
  return logger;
}

function isForServer({ config }: { config: { consumer: string } }): boolean {
  return config.consumer === 'server';
}

function toRenderChunk(
  { fileName, code, map, imports, dynamicImports, moduleIds }: Rolldown.OutputChunk,
  { projectRoot, renderFolder, externalOf }: SiteBundleOptions & { externalOf: ReadonlyMap<string, string[]> },
): RenderChunk {
  // The bundler does not list what a CommonJS module asks for with `require`.
  const required = moduleIds.flatMap((id) => externalOf.get(id) ?? []);
  const chunk = { fileName, code, requires: [...new Set([...imports, ...dynamicImports, ...required])] };
  if (!map) return chunk;
  const { sources, names, mappings } = map;
  const toSource = (source: string): string => toProjectPath(projectRoot, path.resolve(renderFolder, source));
  return { ...chunk, map: { sources: sources.map(toSource), names, mappings } };
}

/** Says what is wrong in the words that a route would get. What a plugin of the app throws is its own. */
async function explainErrors(
  build: ReturnType<ViteBuilder['build']>,
  projectRoot: string,
): Promise<Rolldown.RolldownOutput> {
  try {
    return (await build) as Rolldown.RolldownOutput; // of one environment that is not watched
  } catch (error) {
    const errors = listErrors(error);
    if (errors.length === 0 || errors.some(({ code }) => code === undefined || code === 'PLUGIN_ERROR')) throw error;
    const problems = errors.map((log): Problem => {
      const problem = toProblem(log, { projectRoot, entry: 'package.json' });
      const { file, message, fix } = problem;
      // Only what parses a source knows its lines. All others have seen what Vite makes of it.
      return log.code === 'PARSE_ERROR' ? problem : { file, message, fix };
    });
    throw new ExportError(problems);
  }
}

function toRemoved(name: string): Problem {
  const message = `The plugin ${name}, which keeps secrets out of the client, was removed.`;
  return { file: 'vite.config', message, fix: 'Let no plugin change the list of plugins.' };
}

/** Collects everything that a bundler looks at, for both bundles and those of workers. */
function createReadPlugin(read: Set<string>): Plugin {
  return {
    name: 'appkit:read-modules',
    buildEnd() {
      for (const id of this.getModuleIds()) read.add(id);
    },
  };
}

const VITE_CONFIG = /^vite\.config\.[cm]?[jt]s$/;
const POSTCSS_CONFIG = /^(?:postcss\.config\.[cm]?[jt]s|\.postcssrc(?:\.\w+)?)$/;

/** Answers whether the app has plugins for its bundles. What these read is not known, so nothing of them is kept. */
function hasOwnTools(projectRoot: string): boolean {
  const names = (folder: string, name: RegExp): boolean => readNames(folder).some((other) => name.test(other));
  if (names(projectRoot, VITE_CONFIG)) return true;
  for (let folder = projectRoot; ; folder = path.dirname(folder)) {
    if (names(folder, POSTCSS_CONFIG) || hasPostcssKey(path.join(folder, 'package.json'))) return true;
    if (folder === path.dirname(folder)) return false;
  }
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // A folder above the project may be closed to us.
    return [];
  }
}

function hasPostcssKey(manifest: string): boolean {
  if (!existsSync(manifest)) return false;
  const { postcss }: { postcss?: unknown } = JSON.parse(readFileSync(manifest, 'utf8'));
  return postcss !== undefined;
}

/** Variables that Vite, or what it puts into the client, depends on. */
const READ_BY_VITE = /^(?:VITE_|ROLLDOWN_)/;

/** Everything but files that the bundles depend on. */
async function toCacheKey(options: SiteBundleOptions): Promise<unknown[]> {
  const { projectRoot, lists, minify, clientSourceMaps, serverSourceMaps, external } = options;
  const vite = await hashPackage(createRequire(path.join(projectRoot, 'package.json')).resolve('vite/package.json'));
  const environment = Object.entries(process.env).filter(([name]) => READ_BY_VITE.test(name));
  const withMaps = serverSourceMaps !== false;
  // A map of the client names sources by their way from the output.
  const mapsFrom = clientSourceMaps && path.relative(projectRoot, options.outputDir);
  const settings = { lists, minify, mapsFrom, withMaps, external };
  return ['site', vite, settings, toClientDefine(process.env), environment.toSorted()];
}
