import { existsSync } from 'node:fs';
import { readFile, realpath } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

import type { Manifest } from 'appkit-server/manifest';

import { type BundledApp, bundleApp, type OnCode, type OnProgress, toManifest } from './bundle-app.ts';
import { listFiles } from './list-files.ts';
import { type App, loadApp } from './load-app.ts';
import { checkOutputFolder, replaceOutput } from './output-folder.ts';
import { namesForServer } from './plugin-options.ts';
import { ExportError, type Problem } from './problem.ts';
import { copyPublicFiles, findPublicFiles, type PublicFiles } from './public-files.ts';
import { runBounded } from './run-bounded.ts';
import { toSourceMap } from './source-map.ts';
import { type TracedFile, traceExternals } from './trace-externals.ts';
import { removeStaleWorkFolders } from './work-folder.ts';
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
  /** Empty the whole output folder, not only what the export replaces. Default: `false`. */
  clear?: boolean;
  /** Where source maps go. They name the sources and do not contain them. Default: `external`, beside each bundle. */
  sourceMaps?: SourceMapMode;
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
  /** Its size after gzip at the default level. */
  gzipBytes: number;
}

/** What {@link exportApp} has written. */
export interface ExportResult {
  /** The output folder, absolute. */
  outputDir: string;
  /** What the server build says about the app. Without routes when there is no server build. */
  manifest: Manifest;
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
    onProgress,
    signal,
  } = options;
  const app = await loadApp(options.projectRoot);
  const outputDir = await toRealPath(path.resolve(app.projectRoot, options.outputDir ?? 'dist'));

  const parts = chooseParts(app, { ssg });
  const { projectRoot, config, routesFolder } = app;
  const bundleAndCheck = async (onCode?: OnCode): Promise<Checked> => {
    const served = parts.server ? app : { ...app, routes: [], middleware: undefined };
    const bundled = await bundleApp(served, { minify, onCode, onProgress, signal });
    const traced = await traceExternals(bundled.external, { projectRoot, configFile: config.file });
    const publicFiles = ssg ? await findPublicFiles(projectRoot) : { files: [], problems: [], warnings: [] };
    const found = [app, parts, bundled, traced, publicFiles].flatMap(({ problems }) => problems);
    return { bundled, externals: traced.files, publicFiles, problems: found };
  };
  const refused = checkOutputFolder(outputDir, { projectRoot, routesFolder });
  // Beside such a folder nothing is put together; the problems are wanted all the same.
  if (refused.length > 0) throw new ExportError([...refused, ...(await bundleAndCheck()).problems]);

  const write = async (folder: string): Promise<Omit<ExportResult, 'outputDir'>> => {
    const server = path.join(folder, 'server');
    const { bundled, externals, publicFiles, problems } = await bundleAndCheck(({ output, code, map }) => {
      const file = path.join(outputDir, 'server', output);
      return writeModule(server, { output, code, map: toSourceMap(map, { projectRoot, file }) }, { sourceMaps });
    });
    if (problems.length > 0) throw new ExportError(problems);
    const manifest = toManifest(bundled, config);
    if (ssg) await copyPublicFiles(projectRoot, { files: publicFiles.files, to: path.join(folder, 'client'), signal });
    if (parts.server) {
      signal?.throwIfAborted();
      await writeServer(server, { manifest, externals });
    }
    const warnings = [app, parts, publicFiles, bundled].flatMap(({ warnings }) => warnings);
    return { manifest, files: await measureFiles(folder, signal), warnings };
  };
  const { warnings, ...written } = await replaceOutput(outputDir, write, { clear, signal });
  return { outputDir, ...written, warnings: [...warnings, ...(await removeStaleWorkFolders(outputDir))] };
}

/** What is known of an app once all of it has been read. */
interface Checked {
  bundled: BundledApp;
  externals: readonly TracedFile[];
  publicFiles: PublicFiles;
  problems: Problem[];
}

/** Decides whether there is a server build, and says what is left out and why. */
function chooseParts(
  app: App,
  { ssg }: { ssg: boolean },
): { server: boolean; problems: Problem[]; warnings: string[] } {
  const files = [...app.routes, ...(app.middleware ? [app.middleware] : [])].map(({ file }) => file);
  const output = app.config.output ?? (files.length > 0 ? 'server' : 'static');
  const server = app.config.apiRoutes ?? output === 'server';
  const problems = ssg ? app.pages.map(refusePage) : [];
  const warnings: string[] = [];
  if (!server && files.length > 0) {
    const wanted = 'Set web.output to "server", or apiRoutes of appkit-router to true';
    warnings.push(`Not exported: ${files.join(', ')}. ${wanted}, to export API routes and middleware.`);
  }
  const unserved = server ? [] : namesForServer(app.config);
  if (unserved.length > 0) warnings.push(`Not exported: ${unserved.join(', ')}. Set web.output to "server" for them.`);
  if (!server && !ssg) {
    const message = 'Without the site (--no-ssg) there is nothing to export: the config asks for no server code.';
    problems.push({ file: app.config.file, message, fix: 'Set web.output to "server", or leave out --no-ssg.' });
  }
  return { server, problems, warnings };
}

function refusePage(file: string): Problem {
  return {
    file,
    message: 'It is a page, as is every source file in the routes folder that is no +api; this version has none yet.',
    fix: 'Export with --no-ssg for server code only. Move helpers and tests out of the routes folder.',
  };
}

/** An output folder that is a link stays one: what it points to is replaced. */
async function toRealPath(folder: string): Promise<string> {
  return existsSync(folder) ? await realpath(folder) : folder;
}

const toGzip = promisify(gzip);

async function measureFiles(folder: string, signal: AbortSignal | undefined): Promise<ExportedFile[]> {
  const measure = async (name: string): Promise<ExportedFile> => {
    signal?.throwIfAborted();
    const content = await readFile(path.join(folder, name));
    return { path: name, bytes: content.length, gzipBytes: (await toGzip(content)).length };
  };
  return runBounded(await listFiles(folder), measure, { limit: 4 });
}
