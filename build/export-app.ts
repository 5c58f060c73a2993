import { readFileSync, statSync } from 'node:fs';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';

import type { Manifest } from 'appkit-server/manifest';

import {
  type BundleAppOptions,
  type BundledApp,
  bundleApp,
  type OnCode,
  type OnProgress,
  toManifest,
} from './bundle-app.ts';
import { type BundleCache, openBundleCache } from './cache/bundle-cache.ts';
import { toHash } from './cache/file-state.ts';
import type { ExternalUse } from './external-packages.ts';
import { chooseParts, type Parts } from './choose-parts.ts';
import { listFiles } from './list-files.ts';
import { type App, loadApp } from './load-app.ts';
import { checkOutputFolder, replaceOutput } from './output-folder.ts';
import { ExportError, type Problem } from './problem.ts';
import { toProjectPath } from './project-path.ts';
import { copyPublicFiles, findPublicFiles, type PublicFiles } from './public-files.ts';
import { runBounded } from './run-bounded.ts';
import { buildSite, type BuiltSite, checkSite } from './site/build-site.ts';
import type { Asset } from './site/assets.ts';
import type { PageExports } from './site/page-exports.ts';
import { toPublicDefine } from './site/client-env.ts';
import { findDocuments, findRules } from './site/documents.ts';
import { findClues, listReadSources, listSources, proveClient, readAhead } from './site/prove-client.ts';
import { toSourceMap } from './source-map.ts';
import { type TracedFile, traceExternals } from './trace-externals.ts';
import { type TypedRoutes, writeTypedRoutes } from './typed-routes.ts';
import { removeStaleWorkFolders, toRealOutput } from './work-folder.ts';
import { type SourceMapMode, writeModule, writeServer } from './write-server.ts';

/** What {@link exportApp} exports, and where to. */
export interface ExportOptions {
  /** The folder of the app: absolute, or relative to the working directory. */
  projectRoot: string;
  /** Where the export goes, relative to the project. Default: `dist`. */
  outputDir?: string;
  /** Export `dist/client`. Default: `true`. With `false`, pages are left out and only `dist/server` is written. */
  ssg?: boolean;
  /** Minify the bundles. Default: `true`, and `false` with {@link ExportOptions.dev}. */
  minify?: boolean;
  /** Export for development: not minified unless asked for. No variable is set or read either way. Default: `false`. */
  dev?: boolean;
  /**
   * Empty the whole output folder, not only what the export replaces, and the cache, so that everything is bundled anew.
   * Default: `false`.
   */
  clear?: boolean;
  /** Where source maps go. They name the sources and do not contain them. Default: `external`, beside each bundle. */
  sourceMaps?: SourceMapMode;
  /** Write source maps of the client bundle, with the sources of pages in them. Default: `false`. */
  clientSourceMaps?: boolean;
  /** Called after each bundled file. */
  onProgress?: OnProgress;
  /** Stops the export soon after it is aborted. The output folder is then as it was. */
  signal?: AbortSignal;
}

/** One file of an export. */
export interface ExportedFile {
  /** Relative to the output folder, with `/` between folders. */
  path: string;
  /** Its size. */
  bytes: number;
  /** Its size after gzip at the default level, for a file that clients load: one in `client/`, and no source map. */
  gzipBytes?: number;
}

/** What {@link exportApp} has written. */
export interface ExportResult {
  /** The output folder, absolute. */
  outputDir: string;
  /** What the server build says about the app. Without routes when there is no server build. */
  manifest: Manifest;
  /** The patterns of the pages, in no order. */
  pages: string[];
  /** Every file written, ordered by path. */
  files: ExportedFile[];
  /** What the app's author should know, one sentence or two each. Empty most of the time. */
  warnings: string[];
}

/**
 * Exports an app: `public/` to `dist/client`, routes and middleware to `dist/server`.
 *
 * The output folder changes only once everything has succeeded. The same sources give the same bytes, wherever the
 * project lies.
 *
 * @throws ExportError with every problem of the app, or the reason of {@link ExportOptions.signal}. The output folder is
 * then as it was.
 */
export async function exportApp(options: ExportOptions): Promise<ExportResult> {
  const {
    ssg = true,
    dev = false,
    minify = !dev,
    clear = false,
    sourceMaps = 'external',
    clientSourceMaps = false,
    onProgress,
    signal,
  } = options;
  const app = await loadApp(options.projectRoot);
  const outputDir = await toRealOutput(path.resolve(app.projectRoot, options.outputDir ?? 'dist'));

  const parts = chooseParts(app, { ssg });
  const { projectRoot, config, routesFolder } = app;
  const served = parts.server ? app : { ...app, routes: [], middleware: undefined };
  const checkFiles = async (cache?: BundleCache): Promise<CheckedFiles> => {
    const publicFiles = ssg ? await findPublicFiles(projectRoot) : { files: [], problems: [], warnings: [] };
    const pages = parts.site ? checkSite(parts.site, { projectRoot, output: parts.output, cache }) : NO_PAGES;
    return { publicFiles, pages, problems: [app, parts, publicFiles, pages].flatMap(({ problems }) => problems) };
  };
  const trace = (uses: readonly ExternalUse[]): ReturnType<typeof traceExternals> =>
    traceExternals(uses, { projectRoot, configFile: config.file });
  const bundleRoutes = async (
    writing: Pick<BundleAppOptions, 'cache' | 'onBundled' | 'onCode'> = {},
  ): Promise<BundledRoutes> => {
    const bundled = await bundleApp(served, { ...writing, minify, onProgress, signal });
    const traced = await trace(bundled.external);
    return { bundled, externals: traced.files, problems: [...bundled.problems, ...traced.problems] };
  };
  const refused = checkOutputFolder(outputDir, { projectRoot, routesFolder });
  // Beside such a folder nothing is put together; the problems are wanted all the same.
  if (refused.length > 0) {
    throw new ExportError([...refused, ...(await checkFiles()).problems, ...(await bundleRoutes()).problems]);
  }

  const write = async (folder: string): Promise<Written> => {
    const server = path.join(folder, 'server');
    const cache = await openBundleCache(projectRoot, { outputDir, workFolder: `${folder}.cache`, clear });
    const checked = await checkFiles(cache);
    const { publicFiles, pages } = checked;
    const onCode: OnCode = ({ output, code, map }) => {
      const file = path.join(outputDir, 'server', output);
      return writeModule(server, { output, code, map: toSourceMap(map, { projectRoot, file }) }, { sourceMaps });
    };
    const stop = new AbortController();
    const stopped = signal ? AbortSignal.any([signal, stop.signal]) : stop.signal;
    const allBundled = Promise.withResolvers<void>();
    const onBundled = (modules: readonly string[]): void => {
      allBundled.resolve();
      // What is bundled next has threads of its own, and this one waits for it.
      if (parts.site) void readAhead(modules, { cache, signal: stopped });
    };
    const bundling = bundleRoutes({ cache, onBundled, onCode }).then((routes) => {
      const problems = [...checked.problems, ...routes.problems];
      if (problems.length > 0) throw new ExportError(problems);
      return routes;
    });
    // Either nothing is wrong with the routes, or no site is wanted any more.
    const ready = Promise.race([allBundled.promise, bundling]).catch(() => stop.abort());
    const options = { parts, pages, folder, outputDir, cache, minify, clientSourceMaps, sourceMaps };
    const building =
      checked.problems.length > 0
        ? bundling.then(() => undefined)
        : buildPages(app, { ...options, routes: ready, signal: stopped });
    const ended = building.then(NOTHING, NOTHING);
    const { bundled, externals } = await bundling.catch(async (error: unknown) => {
      // What is wrong with the routes is told first, and nothing is left running.
      stop.abort();
      await ended;
      throw error;
    });
    const site = await building;
    // Each package exists once in a server build, so a place for it is found for all that use it together.
    const traced = site?.external.length
      ? await trace([...bundled.external, ...site.external])
      : { files: externals, problems: [] };
    if (traced.problems.length > 0) throw new ExportError(traced.problems);
    const manifest = toManifest(bundled, { ...config, ...(parts.output === 'server' ? site?.manifest : {}) });
    // For `appkit serve`: a host is told by its own configuration.
    if (parts.site) await writeFile(path.join(folder, 'site.json'), `${JSON.stringify({ output: parts.output })}\n`);
    const client = path.join(folder, 'client');
    if (ssg) {
      await copyPublicFiles(projectRoot, { files: publicFiles.files, to: client, signal });
      await copyAssets([...bundled.assets, ...(site?.assets ?? [])], { to: client, signal });
    }
    if (parts.server) {
      signal?.throwIfAborted();
      await writeServer(server, { manifest, externals: traced.files });
    }
    const written = await measureFiles(folder, { cache, signal });
    if (site) prove(site, { projectRoot, client, cache, bundled, publicFiles, written });
    const unwritten = ssg ? [] : bundled.assets.map((asset) => warnOfUnwritten(asset, projectRoot));
    const warnings = [...[app, parts, publicFiles, bundled].flatMap(({ warnings }) => warnings), ...unwritten];
    const pagePatterns = parts.site?.pages.map(({ pattern }) => pattern) ?? [];
    await cache.commit();
    return { manifest, pages: pagePatterns, files: written.map(({ file }) => file), warnings, routes: bundled.routes };
  };
  const { warnings, routes, ...written } = await replaceOutput(outputDir, write, { clear, signal });
  const afterwards = [
    ...(await removeStaleWorkFolders(outputDir)),
    ...(await writeTypes({ projectRoot, routes, pagePatterns: written.pages })),
  ];
  return { outputDir, ...written, warnings: [...warnings, ...afterwards] };
}

/** An export is whole without its types: where they cannot be written, a warning says so. */
async function writeTypes(routes: TypedRoutes): Promise<string[]> {
  try {
    await writeTypedRoutes(routes);
    return [];
  } catch (error) {
    return [`The types of the routes cannot be written: ${String(error)}`];
  }
}

/** What has been put together, and the routes in it. */
type Written = Omit<ExportResult, 'outputDir'> & Pick<TypedRoutes, 'routes'>;

/** What is known of an app before any of it is bundled. */
interface CheckedFiles {
  publicFiles: PublicFiles;
  pages: PageExports;
  problems: Problem[];
}

/** The bundled routes and middleware, and what they need beside them. */
interface BundledRoutes {
  bundled: BundledApp;
  externals: readonly TracedFile[];
  problems: Problem[];
}

const NOTHING = (): void => undefined;

const NO_PAGES: PageExports = {
  loaders: new Set(),
  withStaticParams: new Set(),
  unreadable: new Set(),
  problems: [],
};

/** Builds the pages into the folder that becomes the export. */
async function buildPages(
  app: App,
  {
    parts: { output, server, site },
    pages,
    folder,
    outputDir,
    cache,
    minify,
    clientSourceMaps,
    sourceMaps,
    routes,
    signal,
  }: {
    parts: Parts;
    pages: PageExports;
    folder: string;
    outputDir: string;
    cache: BundleCache;
    minify: boolean;
    clientSourceMaps: boolean;
    sourceMaps: SourceMapMode;
    routes: Promise<unknown>;
    signal: AbortSignal;
  },
): Promise<BuiltSite | undefined> {
  if (!site) return undefined;
  const { projectRoot, config } = app;
  const patterns = server ? app.routes.map(({ pattern }) => pattern) : [];
  const documents = findDocuments(patterns, site.pages);
  const rules = server ? findRules(config, site.pages) : [];
  const maps = { clientSourceMaps, serverSourceMaps: sourceMaps };
  const build = { output, exports: pages, folder, outputDir, cache, minify, documents, rules, routes, signal };
  return buildSite(site, { ...build, ...maps, projectRoot, external: config.external });
}

/** Looks through everything that clients get for what is the server's, unless a former export has with the same outcome. */
function prove(
  { proof: { documents, serverModules, clientFiles, clientModules } }: BuiltSite,
  {
    projectRoot,
    client,
    cache,
    bundled,
    publicFiles,
    written,
  }: {
    projectRoot: string;
    client: string;
    cache: BundleCache;
    bundled: BundledApp;
    publicFiles: PublicFiles;
    written: readonly WrittenFile[];
  },
): void {
  const modules = listSources([...bundled.modules, ...serverModules]);
  const clues = findClues(modules, projectRoot, cache);
  const proof = {
    projectRoot,
    clientDir: client,
    clientFiles,
    documents: [...documents, ...publicFiles.files],
    serverModules: modules,
    clues,
    environment: process.env,
  };
  const hashes = new Map(written.map(({ file, hash }) => [file.path, hash]));
  const searched = clientFiles.map((file) => [file, hashes.get(`client/${file}`)]);
  const sources = listReadSources(clientModules.read()).map((file) => [file, cache.hashFile(file)]);
  const what = ['proof', modules, clues, searched, clientModules.hash, sources, toPublicDefine(process.env)];
  let isProved = false;
  cache.recall(what, () => {
    proveClient({ ...proof, clientModules: clientModules.read() });
    return (isProved = true);
  });
  // The values of variables are looked for each time: nothing is kept of them, not even a hash.
  if (!isProved) proveClient({ ...proof, clues: { ...clues, strings: [] }, clientModules: clientModules.read() });
}

function warnOfUnwritten({ source, file }: Asset, projectRoot: string): string {
  const name = toProjectPath(projectRoot, source);
  return `${name} is imported by a route as /${file}, and with --no-ssg nothing is written there. Export dist/client too, and serve it.`;
}

/** Copies what modules import as a URL, once each. */
async function copyAssets(
  assets: readonly Asset[],
  { to, signal }: { to: string; signal: AbortSignal | undefined },
): Promise<void> {
  for (const [file, { source }] of new Map(assets.map((asset) => [asset.file, asset]))) {
    signal?.throwIfAborted();
    await mkdir(path.dirname(path.join(to, file)), { recursive: true });
    await copyFile(source, path.join(to, file));
  }
}

/** A file that has been written. */
interface WrittenFile {
  file: ExportedFile;
  /** The hash of its content, when clients get it. */
  hash?: string;
}

const toGzip = promisify(gzip);
const SMALL = 16_384;

async function measureFiles(
  folder: string,
  { cache, signal }: { cache: BundleCache; signal: AbortSignal | undefined },
): Promise<WrittenFile[]> {
  const measure = async (name: string): Promise<WrittenFile> => {
    signal?.throwIfAborted();
    const file = path.join(folder, name);
    if (!name.startsWith('client/')) return { file: { path: name, bytes: statSync(file).size } };
    const content = readFileSync(file);
    const hash = toHash(content);
    if (name.endsWith('.map')) return { file: { path: name, bytes: content.length }, hash };
    // Of a small file the way to another thread and back would be most of the time, for reading too.
    const zip = (): Buffer | Promise<Buffer> => (content.length < SMALL ? gzipSync(content) : toGzip(content));
    const gzipBytes = await cache.recall(['gzip', hash], async () => (await zip()).length);
    return { file: { path: name, bytes: content.length, gzipBytes }, hash };
  };
  return runBounded(await listFiles(folder), measure, { limit: 4 });
}
