import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import type { Manifest } from 'appkit-server/manifest';

import { buildApp, bundleRoutes } from './bundle/build-app.ts';
import { toManifest } from './bundle/bundle-app.ts';
import type { OnProgress } from './bundle/bundle-app.ts';
import { openBundleCache } from './cache/bundle-cache.ts';
import type { BundleCache } from './cache/bundle-cache.ts';
import { planExport } from './app/plan-export.ts';
import { writeClientManifest } from './output/client-manifest.ts';
import { loadApp } from './app/load-app.ts';
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
import { proveExport } from './secrets/prove-export.ts';
import { findSecretAssets } from './secrets/secret-files.ts';
import { writeTypedRoutes } from './output/typed-routes.ts';
import type { TypedRoutes } from './output/typed-routes.ts';
import { removeStaleWorkFolders, toRealOutput } from './output/work-folder.ts';
import { writeServer } from './output/write-server.ts';
import type { SourceMapMode } from './output/write-server.ts';

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

  const plan = planExport(app, { ssg });
  const { projectRoot, config, routesFolder } = app;
  const checkFiles = async (cache?: BundleCache): Promise<CheckedFiles> => {
    const publicFiles = ssg ? await findPublicFiles(projectRoot) : { files: [], problems: [], warnings: [] };
    const pages = plan.site ? checkSite(plan.site, { projectRoot, output: plan.output, cache }) : NO_PAGES;
    return { publicFiles, pages, problems: [app, plan, publicFiles, pages].flatMap(({ problems }) => problems) };
  };
  const refused = checkOutputFolder(outputDir, { projectRoot, routesFolder });
  // Beside such a folder nothing is put together; the problems are wanted all the same.
  if (refused.length > 0) {
    const checked = await checkFiles();
    const bundled = await bundleRoutes(app, { plan, pages: checked.pages }, { minify, onProgress, signal });
    throw new ExportError([...refused, ...checked.problems, ...bundled.problems]);
  }

  const write = async (folder: string): Promise<Written> => {
    const cache = await openBundleCache(projectRoot, { outputDir, workFolder: `${folder}.cache`, clear });
    const { publicFiles, pages, problems } = await checkFiles(cache);
    const building = { plan, pages, problems, folder, outputDir, cache, minify, sourceMaps, clientSourceMaps };
    const { bundled, externals, site } = await buildApp(app, { ...building, onProgress, signal });
    const manifest = toManifest(bundled, { ...config, ...(plan.output === 'server' ? site?.manifest : {}) });
    // For `appkit serve`: a host is told by its own configuration.
    if (plan.site) await writeFile(path.join(folder, 'site.json'), `${JSON.stringify({ output: plan.output })}\n`);
    const client = path.join(folder, 'client');
    if (ssg) {
      const assets = [...bundled.assets, ...(site?.assets ?? [])];
      const secrets = findSecretAssets(assets, projectRoot);
      if (secrets.length > 0) throw new ExportError(secrets);
      await copyPublicFiles(projectRoot, { files: publicFiles.files, to: client, signal });
      await copyAssets(assets, { to: client, signal });
      writePlatformHeaders(client);
    }
    if (plan.server) {
      signal?.throwIfAborted();
      await writeServer(path.join(folder, 'server'), { manifest, externals });
    }
    const measured = await measureFiles(folder, { cache, signal });
    const written = await writeClientManifest(folder, measured, { cache, compress: !dev, signal });
    if (site) proveExport(site, { projectRoot, client, cache, bundled, publicFiles, written });
    const unwritten = ssg ? [] : bundled.assets.map((asset) => warnOfUnwritten(asset, projectRoot));
    const warnings = [...[app, plan, publicFiles, bundled].flatMap(({ warnings }) => warnings), ...unwritten];
    const pagePatterns = plan.site?.pages.map(({ pattern }) => pattern) ?? [];
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

const NO_PAGES: PageExports = {
  loaders: new Set(),
  actions: new Set(),
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
