import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
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
import { checkOutputFolder, checkReplaced, replaceOutput } from './output/output-folder.ts';
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
  /** Minify the bundles. Default: `true`, or `false` with {@link ExportOptions.dev}. */
  minify?: boolean;
  /**
   * Export for development: not minified unless requested. Sets and reads no variable in either mode. Default: `false`.
   */
  dev?: boolean;
  /**
   * Empty the entire output folder, not only what the export replaces, and the cache, so that everything is bundled
   * again. No assets of earlier exports are kept. Default: `false`.
   */
  clear?: boolean;
  /** Where source maps go. They name the sources but do not contain them. Default: `external`, next to each bundle. */
  sourceMaps?: SourceMapMode;
  /** Write source maps of the client bundle, including the sources of pages. Default: `false`. */
  clientSourceMaps?: boolean;
  /**
   * Write `openapi.json`, which describes the routes by their contracts: `dist` puts it next to `server`, `client` puts
   * it into `client`, where hosts serve it. This evaluates the routes' modules. Default: no document is written.
   */
  openapi?: OpenApiPlace | undefined;
  /** Called after each bundled file. */
  onProgress?: OnProgress;
  /** Stops the export soon after it is aborted. The output folder is then unchanged. */
  signal?: AbortSignal;
}

/** The result of {@link exportApp}. */
export interface ExportResult {
  /** The output folder, absolute. */
  outputDir: string;
  /** The description of the app in the server build. It has no routes when there is no server build. */
  manifest: Manifest;
  /** The sources of the jobs by name, relative to the project. */
  jobs: Record<string, string>;
  /** The patterns of the pages, unordered. */
  pages: string[];
  /** Every file written, ordered by path. */
  files: ExportedFile[];
  /** Warnings for the app's author, one or two sentences each. Usually empty. */
  warnings: string[];
}

/**
 * Exports an app: `public/` to `dist/client`, routes and middleware to `dist/server`. The output folder changes only
 * once everything has succeeded. The same sources produce the same bytes, wherever the project is.
 *
 * @throws ExportError with every problem of the app, or the reason of {@link ExportOptions.signal}. The output folder
 * is then unchanged.
 */
export async function exportApp(options: ExportOptions): Promise<ExportResult> {
  const app = await loadApp(options.projectRoot);
  const outputDir = await toRealOutput(path.resolve(app.projectRoot, options.outputDir ?? 'dist'));
  const job = toJob(options, { app, outputDir });
  const { clear, signal } = job;
  const { projectRoot, routesFolder } = app;
  const refused = checkOutputFolder(outputDir, { projectRoot, routesFolder });
  if (refused.length === 0) refused.push(...(await checkReplaced(outputDir, { projectRoot, clear })));
  if (refused.length > 0) throw await collectProblems(job, refused);
  const { warnings, routes, ...written } = await replaceOutput(outputDir, (folder) => write(job, folder), {
    clear,
    // Without the site, the client is still that of the earlier export.
    removed: job.ssg && (await hasSettings(outputDir)) ? [SETTINGS] : [],
    signal,
  });
  const afterwards = [
    ...(await removeStaleWorkFolders(outputDir)),
    ...(await writeTypes({ projectRoot, routes, pagePatterns: written.pages })),
  ];
  return { outputDir, ...written, warnings: [...warnings, ...afterwards] };
}

/** What `appkit serve` has to know of the config, if there is anything. Hosts have a configuration of their own for it. */
const SETTINGS = 'site.json';

/** Whether an earlier export has written settings. A file of that name may also be somebody else's. */
async function hasSettings(outputDir: string): Promise<boolean> {
  // What cannot be read is not removed.
  const text = await readFile(path.join(outputDir, SETTINGS), 'utf8').catch(() => '');
  return /^\{"output":"\w+"(?:,"base":"[^"]+")?\}\n$/.test(text);
}

/** An app to export, with its options. */
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

/** Nothing is written next to a refused output folder. The app's problems are still reported. */
async function collectProblems(job: ExportJob, refused: readonly Problem[]): Promise<ExportError> {
  const { app, plan, minify, onProgress, signal } = job;
  const checked = await checkFiles(job);
  const bundled = await bundleRoutes(app, { plan, pages: checked.pages }, { minify, onProgress, signal });
  return new ExportError([...refused, ...checked.problems, ...bundled.problems]);
}

/** Assembles the export in a work folder. */
async function write(job: ExportJob, folder: string): Promise<Written> {
  const { app, plan, outputDir, ssg, dev, clear, minify, sourceMaps, clientSourceMaps, onProgress, signal } = job;
  const { projectRoot, config } = app;
  const cache = await openBundleCache(projectRoot, { outputDir, workFolder: `${folder}.cache`, clear });
  const { publicFiles, pages, problems } = await checkFiles(job, cache);
  const building = { plan, pages, problems, folder, outputDir, cache, minify, sourceMaps, clientSourceMaps };
  const built = await buildApp(app, { ...building, onProgress, signal });
  const { bundled, externals, site } = built;
  const manifest = toManifest(bundled, { ...config, ...(plan.output === 'server' ? site?.manifest : {}) });
  if (plan.site ?? config.base) {
    const settings = { output: plan.output, base: config.base };
    await writeFile(path.join(folder, SETTINGS), `${JSON.stringify(settings)}\n`);
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
  // Before compression, which takes a third of an export, so that a refusal comes sooner.
  if (site) {
    const { proveExport } = await import('./secrets/prove-export.ts');
    proveExport(site, { projectRoot, client, base: config.base, cache, bundled, publicFiles, measured });
  }
  const written = await writeClientManifest(folder, measured, {
    cache,
    compress: !dev,
    immutable: [toAssetFolder(config.base)],
    ...(kept && { kept }),
    signal,
  });
  const unwritten = ssg ? [] : bundled.assets.map((asset) => warnOfUnwritten(asset, projectRoot));
  const found = [app, plan, publicFiles, bundled, ...(site ? [site] : [])].flatMap(({ warnings }) => warnings);
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
 * Writes everything but the pages: files of `public/`, files that modules import, assets of earlier exports, and
 * headers for hosts that serve the folder.
 *
 * @returns the age of each asset of earlier exports, by name.
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

/** An export is complete without its types: if they cannot be written, a warning says so. */
async function writeTypes(routes: TypedRoutes): Promise<string[]> {
  try {
    await writeTypedRoutes(routes);
    return [];
  } catch (error) {
    return [`The types of the routes cannot be written: ${String(error)}`];
  }
}

/** The assembled export, and its routes. */
type Written = Omit<ExportResult, 'outputDir'> & Pick<TypedRoutes, 'routes'>;

/** What is known about an app before bundling. */
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
  return `${name} is imported by a route as /${file}, but with --no-ssg nothing is written there. Export dist/client too, and serve it.`;
}

/** Copies the files that modules import as URLs, each once. */
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
