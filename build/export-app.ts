import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Manifest } from 'appkit-server/manifest';

import { buildApp, bundleRoutes } from './bundle/build-app.ts';
import type { BuiltApp } from './bundle/build-app.ts';
import { toManifest } from './output/manifest.ts';
import type { OnProgress } from './bundle/bundle-app.ts';
import { openBundleCache } from './cache/bundle-cache.ts';
import type { BundleCache } from './cache/bundle-cache.ts';
import { planExport } from './app/plan-export.ts';
import type { ExportPlan } from './app/plan-export.ts';
import { toAssetFolder, toClientFolder } from './output/client-folder.ts';
import { writeClientManifest } from './output/client-manifest.ts';
import { keepAssets } from './output/kept-assets.ts';
import { loadApp } from './app/load-app.ts';
import type { App } from './app/load-app.ts';
import { measureFiles } from './output/measure-files.ts';
import type { ExportedFile } from './output/measure-files.ts';
import { checkOutputFolder, replaceOutput } from './output/output-folder.ts';
import { writePlatformHeaders } from './output/platform-headers.ts';
import { ExportError } from './problem.ts';
import type { Problem } from './problem.ts';
import { toProjectPath } from './app/project-path.ts';
import { copyPublicFiles, findPublicFiles } from './output/public-files.ts';
import type { PublicFiles } from './output/public-files.ts';
import type { Asset } from './bundle/plugins/assets.ts';
import { checkSite } from './site/check-site.ts';
import type { PageExports } from './site/page-exports.ts';
import { writeApiDocument } from './openapi/write-document.ts';
import type { OpenApiPlace } from './openapi/write-document.ts';
import { proveExport } from './secrets/prove-export.ts';
import { findSecretAssets } from './secrets/secret-files.ts';
import { writeTypedRoutes } from './output/typed-routes.ts';
import type { TypedRoutes } from './output/typed-routes.ts';
import { toRelease } from './output/release.ts';
import { removeStaleWorkFolders, toRealOutput } from './output/work-folder.ts';
import { writeServer } from './output/write-server.ts';
import type { SourceMapMode } from './output/write-server.ts';

/** Options of {@link exportApp}. */
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
   * Empty the whole output folder, not only what the export replaces, and the cache, so that everything is bundled again. No assets of
   * the last exports are kept.
   * Default: `false`.
   */
  clear?: boolean;
  /** Where source maps go. They name the sources and do not contain them. Default: `external`, next to each bundle. */
  sourceMaps?: SourceMapMode;
  /** Write source maps of the client bundle, with the sources of pages in them. Default: `false`. */
  clientSourceMaps?: boolean;
  /**
   * Write `openapi.json`, which describes the routes by their contracts: `dist` puts it next to `server`, `client` into `client`, where
   * hosts serve it. The routes' modules are evaluated for it. Default: none is written.
   */
  openapi?: OpenApiPlace | undefined;
  /** Called after each bundled file. */
  onProgress?: OnProgress;
  /** Stops the export soon after it is aborted. The output folder is then as it was. */
  signal?: AbortSignal;
}

/** What {@link exportApp} has written. */
export interface ExportResult {
  /** The output folder, absolute. */
  outputDir: string;
  /** What the server build says about the app. Without routes when there is no server build. */
  manifest: Manifest;
  /** The sources of the jobs, relative to the project, by their names. */
  jobs: Record<string, string>;
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
  const app = await loadApp(options.projectRoot);
  const outputDir = await toRealOutput(path.resolve(app.projectRoot, options.outputDir ?? 'dist'));
  const job = toJob(options, { app, outputDir });
  const { clear, signal } = job;
  const { projectRoot, routesFolder } = app;
  const refused = checkOutputFolder(outputDir, { projectRoot, routesFolder });
  if (refused.length > 0) throw await collectProblems(job, refused);
  const { warnings, routes, ...written } = await replaceOutput(outputDir, (folder) => write(job, folder), {
    clear,
    signal,
  });
  const afterwards = [
    ...(await removeStaleWorkFolders(outputDir)),
    ...(await writeTypes({ projectRoot, routes, pagePatterns: written.pages })),
  ];
  return { outputDir, ...written, warnings: [...warnings, ...afterwards] };
}

/** An app to be exported, and how. */
interface ExportJob {
  app: App;
  plan: ExportPlan;
  outputDir: string;
  ssg: boolean;
  dev: boolean;
  clear: boolean;
  minify: boolean;
  sourceMaps: SourceMapMode;
  clientSourceMaps: boolean;
  openapi: OpenApiPlace | undefined;
  onProgress: OnProgress | undefined;
  signal: AbortSignal | undefined;
}

function toJob(options: ExportOptions, { app, outputDir }: Pick<ExportJob, 'app' | 'outputDir'>): ExportJob {
  const { ssg = true, dev = false, minify = !dev, clear = false, sourceMaps = 'external' } = options;
  const { clientSourceMaps = false, openapi, onProgress, signal } = options;
  const plan = planExport(app, { ssg });
  return { app, plan, outputDir, ssg, dev, clear, minify, sourceMaps, clientSourceMaps, openapi, onProgress, signal };
}

/** Nothing is written next to a refused output folder. The problems of the app are still reported. */
async function collectProblems(job: ExportJob, refused: readonly Problem[]): Promise<ExportError> {
  const { app, plan, minify, onProgress, signal } = job;
  const checked = await checkFiles(job);
  const bundled = await bundleRoutes(app, { plan, pages: checked.pages }, { minify, onProgress, signal });
  return new ExportError([...refused, ...checked.problems, ...bundled.problems]);
}

/** Puts the export together in a work folder. */
async function write(job: ExportJob, folder: string): Promise<Written> {
  const { app, plan, outputDir, ssg, dev, clear, minify, sourceMaps, clientSourceMaps, onProgress, signal } = job;
  const { projectRoot, config } = app;
  const cache = await openBundleCache(projectRoot, { outputDir, workFolder: `${folder}.cache`, clear });
  const { publicFiles, pages, problems } = await checkFiles(job, cache);
  const building = { plan, pages, problems, folder, outputDir, cache, minify, sourceMaps, clientSourceMaps };
  const built = await buildApp(app, { ...building, onProgress, signal });
  const { bundled, externals, site } = built;
  const manifest = toManifest(bundled, { ...config, ...(plan.output === 'server' ? site?.manifest : {}) });
  // For `appkit serve`: a host has its own configuration for this.
  if (plan.site ?? config.base) {
    const settings = { output: plan.output, base: config.base };
    await writeFile(path.join(folder, 'site.json'), `${JSON.stringify(settings)}\n`);
  }
  const client = path.join(folder, 'client');
  const kept = ssg ? await writeClient(job, client, { built, publicFiles }) : undefined;
  if (plan.server) {
    signal?.throwIfAborted();
    const release = await toRelease(path.join(folder, 'server'), { manifest, externals });
    if (release !== undefined) manifest.release = release;
    await writeServer(path.join(folder, 'server'), { manifest, externals });
  }
  const undescribed = job.openapi
    ? await writeApiDocument(folder, { ...app, routes: bundled.routes, place: job.openapi, signal })
    : [];
  const measured = await measureFiles(folder, { cache, signal });
  // Before anything is compressed, which takes a third of an export: whoever is refused hears of it sooner.
  if (site) proveExport(site, { projectRoot, client, base: config.base, cache, bundled, publicFiles, measured });
  const written = await writeClientManifest(folder, measured, {
    cache,
    compress: !dev,
    immutable: [toAssetFolder(config.base)],
    ...(kept && { kept }),
    signal,
  });
  const unwritten = ssg ? [] : bundled.assets.map((asset) => warnOfUnwritten(asset, projectRoot));
  const found = [app, plan, publicFiles, bundled].flatMap(({ warnings }) => warnings);
  const warnings = [...found, ...unwritten, ...undescribed];
  const pagePatterns = plan.site?.pages.map(({ pattern }) => pattern) ?? [];
  await cache.commit();
  const jobs = Object.fromEntries(bundled.jobs.map(({ job: name, file }) => [name, file]));
  return {
    manifest,
    jobs,
    pages: pagePatterns,
    files: written.map(({ file }) => file),
    warnings,
    routes: bundled.routes,
  };
}

async function checkFiles({ app, plan, ssg }: ExportJob, cache?: BundleCache): Promise<CheckedFiles> {
  const { projectRoot } = app;
  const publicFiles = ssg ? await findPublicFiles(projectRoot) : { files: [], problems: [], warnings: [] };
  const pages = plan.site ? checkSite(plan.site, { projectRoot, output: plan.output, cache }) : NO_PAGES;
  return { publicFiles, pages, problems: [app, plan, publicFiles, pages].flatMap(({ problems }) => problems) };
}

/**
 * Writes what the pages do not: files of `public/`, files that modules import, assets of the last exports, and headers for hosts that
 * serve the folder.
 *
 * @returns the age of each asset of the last exports, by its name.
 */
async function writeClient(
  { app: { projectRoot, config }, outputDir, clear, signal }: ExportJob,
  client: string,
  { built: { bundled, site }, publicFiles }: { built: BuiltApp; publicFiles: PublicFiles },
): Promise<ReadonlyMap<string, number>> {
  const assets = [...bundled.assets, ...(site?.assets ?? [])];
  const secrets = findSecretAssets(assets, projectRoot);
  if (secrets.length > 0) throw new ExportError(secrets);
  const { base } = config;
  await copyPublicFiles(projectRoot, { files: publicFiles.files, to: client, base, signal });
  await copyAssets(assets, { to: toClientFolder(client, base), signal });
  const generations = clear ? 0 : (config.keepAssets ?? 1);
  const kept = await keepAssets(client, { outputDir, base, generations, signal });
  writePlatformHeaders(client, [toAssetFolder(base)]);
  return kept;
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

const NO_PAGES: PageExports = {
  loaders: new Set(),
  actions: new Set(),
  withoutClient: new Set(),
  withStaticParams: new Set(),
  unreadable: new Set(),
  problems: [],
};

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
