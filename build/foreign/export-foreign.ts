import path from 'node:path';

import type { Manifest } from 'appkit-server/manifest';

import { openBundleCache } from '../cache/bundle-cache.ts';
import { readAppConfig } from '../config/app-config.ts';
import type { AppConfig } from '../config/app-config.ts';
import type { ExportResult } from '../export-app.ts';
import { mayUseCache } from '../bundle/bundle-app.ts';
import { toSourceMap } from '../bundle/source-map.ts';
import { toRelease } from '../output/release.ts';
import { writeClientManifest } from '../output/client-manifest.ts';
import { measureFiles } from '../output/measure-files.ts';
import { copyPublicFiles, findPublicFiles } from '../output/public-files.ts';
import type { PublicFiles } from '../output/public-files.ts';
import { toProjectPath } from '../app/project-path.ts';
import { checkOutputFolder, checkReplaced, replaceOutput } from '../output/output-folder.ts';
import { writePlatformHeaders } from '../output/platform-headers.ts';
import { removeStaleWorkFolders, toRealOutput } from '../output/work-folder.ts';
import { writeModule, writeServer } from '../output/write-server.ts';
import type { SourceMapMode } from '../output/write-server.ts';
import { traceExternals } from '../packages/trace-externals.ts';
import { ExportError } from '../problem.ts';
import { bundleServer } from './bundle-server.ts';
import type { ServerBundle } from './bundle-server.ts';
import { findForeignBuild } from './find-build.ts';
import type { ForeignBuild } from './find-build.ts';

/** Options of {@link exportForeign}. */
export interface ForeignExportOptions {
  /** The folder of the project: absolute, or relative to the working directory. */
  projectRoot: string;
  /** What to export: the name of a framework, the folder of its build, or a module that exports `fetch`. */
  from: string;
  /** As in `ExportOptions`. Default: `dist`. */
  outputDir?: string;
  /** Conditions for reading the `exports` of packages, before Node's own, such as `workerd`. Default: none. */
  conditions?: readonly string[];
  /** Minify the server. Default: `true`. */
  minify?: boolean;
  /** As in `ExportOptions`. Default: `external`. */
  sourceMaps?: SourceMapMode;
  /** As in `ExportOptions`. Default: `false`. */
  clear?: boolean;
  /** As in `ExportOptions`. */
  signal?: AbortSignal;
}

/**
 * Exports the finished build of another framework, or a module that exports `fetch`: its client files to `dist/client`,
 * its server with all packages to `dist/server`. The result is hosted like an app of this project.
 *
 * @throws ExportError with what is wrong. The output folder is then unchanged.
 */
export async function exportForeign(options: ForeignExportOptions): Promise<ExportResult> {
  const projectRoot = path.resolve(options.projectRoot);
  const { config, problems } = await readAppConfig(projectRoot);
  const outputDir = await toRealOutput(path.resolve(projectRoot, options.outputDir ?? 'dist'));
  const { clear = false, signal } = options;
  problems.push(...checkOutputFolder(outputDir, { projectRoot, routesFolder: undefined }));
  if (problems.length === 0) problems.push(...(await checkReplaced(outputDir, { projectRoot, clear })));
  if (problems.length > 0) throw new ExportError(problems);
  const build = findForeignBuild(projectRoot, options.from);
  const written = await replaceOutput(
    outputDir,
    (folder) => write(build, { ...options, projectRoot, config, outputDir, folder }),
    {
      clear,
      signal,
    },
  );
  const stale = await removeStaleWorkFolders(outputDir);
  return { outputDir, jobs: {}, pages: [], ...written, warnings: [...written.warnings, ...stale] };
}

interface ForeignJob extends ForeignExportOptions {
  config: AppConfig;
  outputDir: string;
  folder: string;
}

async function write(
  build: ForeignBuild,
  job: ForeignJob,
): Promise<Pick<ExportResult, 'manifest' | 'files' | 'warnings'>> {
  const { projectRoot, config, outputDir, folder, clear = false, signal, sourceMaps = 'external' } = job;
  const { conditions = [], minify = true } = job;
  const light = !config.strictFetch;
  const server = await bundleServer(build, { projectRoot, external: config.external, conditions, light, minify });
  const traced = await traceExternals(server.external, { projectRoot, configFile: config.file });
  const client = await findClientFiles(build, projectRoot);
  const problems = [...traced.problems, ...client.problems];
  if (problems.length > 0) throw new ExportError(problems);
  signal?.throwIfAborted();
  for (const { map, ...chunk } of server.chunks) {
    const file = path.join(outputDir, 'server', chunk.output);
    writeModule(
      path.join(folder, 'server'),
      { ...chunk, map: map && toSourceMap(map, { projectRoot, file }) },
      { sourceMaps },
    );
  }
  const manifest = toManifest(server, config, light);
  const release = await toRelease(path.join(folder, 'server'), { manifest, externals: traced.files });
  if (release !== undefined) manifest.release = release;
  await writeServer(path.join(folder, 'server'), { manifest, externals: traced.files });
  await copyPublicFiles(projectRoot, { ...client, to: path.join(folder, 'client'), signal });
  writePlatformHeaders(path.join(folder, 'client'), build.immutable);
  const cache = await openBundleCache(projectRoot, { outputDir, workFolder: `${folder}.cache`, clear });
  const measured = await measureFiles(folder, { cache, signal });
  const files = await writeClientManifest(folder, measured, {
    cache,
    compress: true,
    immutable: build.immutable,
    signal,
  });
  await cache.commit();
  return {
    manifest,
    files: files.map(({ file }) => file),
    warnings: [...server.warnings, ...client.warnings, ...warnOfIgnored(config)],
  };
}

function toManifest({ file, chunks }: ServerBundle, { headers, cache }: AppConfig, light: boolean): Manifest {
  return {
    version: 5,
    routes: [],
    fetch: { file },
    ...(chunks.some(mayUseCache) ? { usesCache: true } : {}),
    ...(light ? { boundFetch: true } : {}),
    ...(headers ? { headers } : {}),
    ...(cache ? { cache } : {}),
  };
}

/** The framework has its own rules for these. */
function warnOfIgnored({ file, base, redirects, rewrites }: AppConfig): string[] {
  const ignored = Object.entries({ 'web.base': base, redirects, rewrites }).filter(([, value]) => value !== undefined);
  if (ignored.length === 0) return [];
  const names = ignored.map(([name]) => name).join(' and ');
  return [
    `${file}: ${names} is for apps with a routes folder, and does nothing with --from. Configure the framework instead.`,
  ];
}

/** The public client files, by the rules of `public/`. */
async function findClientFiles(build: ForeignBuild, projectRoot: string): Promise<PublicFiles & { from: string }> {
  const from = toProjectPath(projectRoot, build.client ?? path.join(projectRoot, 'public'));
  return { from, ...(await findPublicFiles(projectRoot, from)) };
}
