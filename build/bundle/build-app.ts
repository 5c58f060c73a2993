import path from 'node:path';

import { bundleApp } from './bundle-app.ts';
import type { BundleAppOptions, BundledApp, BundledCode, OnCode, OnProgress } from './bundle-app.ts';
import type { BundleCache } from '../cache/bundle-cache.ts';
import type { ExportPlan } from '../app/plan-export.ts';
import type { ShareableModule } from './facades.ts';
import type { App } from '../app/load-app.ts';
import { findPageClashes } from '../app/page-clashes.ts';
import { ExportError } from '../problem.ts';
import type { Problem } from '../problem.ts';
import type { BuiltSite, SiteOptions } from '../site/build-site.ts';
import { findDocuments, findRules } from '../site/documents.ts';
import { hasViteConfig } from '../site/config-files.ts';
import type { PageExports } from '../site/page-exports.ts';
import { readAhead } from '../secrets/find-clues.ts';
import { CHUNKS } from './server-chunks.ts';
import { toSourceMap } from './source-map.ts';
import { traceExternals } from '../packages/trace-externals.ts';
import type { TracedFile } from '../packages/trace-externals.ts';
import { writeFileIn } from '../output/write-file.ts';
import { writeModule } from '../output/write-server.ts';
import type { SourceMapMode } from '../output/write-server.ts';

/** Routes, middleware and pages, already written. */
export interface BuiltApp {
  bundled: BundledApp;
  /** Files that the code needs next to it, not yet written. */
  externals: readonly TracedFile[];
  site: BuiltSite | undefined;
}

/** What {@link buildApp} depends on besides the app. */
export interface BuildOptions {
  plan: ExportPlan;
  /** What is known about the pages. */
  pages: PageExports;
  /** Problems with files, which are reported together with problems in their code. */
  problems: readonly Problem[];
  /** The folder that becomes the export. */
  folder: string;
  /** Where the export goes. */
  outputDir: string;
  cache: BundleCache;
  minify: boolean;
  sourceMaps: SourceMapMode;
  clientSourceMaps: boolean;
  onProgress?: OnProgress | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Builds the routes and the pages of an app, in parallel where that saves time.
 *
 * @throws ExportError with the problems. Nothing is left running then.
 */
export async function buildApp(app: App, options: BuildOptions): Promise<BuiltApp> {
  const { plan, problems, cache, minify, onProgress } = options;
  const stop = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
  const code = createCodeWriter(app, options);
  const constants = await readConstantsOf(app);
  const offer = createOffer({ ...options, signal });

  const bundling = bundleRoutes(app, options, {
    minify,
    constants,
    cache,
    offered: isShared(plan),
    onBundled: offer.onBundled,
    // The modules that pages import from the routes decide which chunk each is in.
    onCode: isShared(plan) ? code.hold : code.write,
    onProgress,
    signal,
  }).then((routes) => refuseProblems(routes, problems));
  // At this point the routes have no problems, or the site is no longer wanted.
  const ready = Promise.race([offer.allBundled, bundling])
    .catch(() => stop.abort())
    .finally(() => offer.end());
  let again: BundledApp | undefined;
  const writeRoutes: SiteOptions['writeRoutes'] = async (shared, otherFolder) => {
    if (shared.length === 0) return { usesCache: false };
    await bundling;
    again = await bundleShared(app, { shared, otherFolder, write: code.write, minify, constants, cache, signal });
    return { usesCache: again.sharedUsesCache };
  };
  const building =
    problems.length > 0
      ? bundling.then(() => undefined)
      : buildPages(app, { ...options, routes: ready, shareable: offer.shareable, writeRoutes, signal });
  const ended = building.catch(() => undefined);
  const { bundled: alone, externals } = await bundling.catch(async (error: unknown) => {
    // Problems of the routes are reported first.
    stop.abort();
    await ended;
    throw error;
  });
  const site = await building;
  if (!again) code.writeHeld();
  return traceTogether(app, { bundled: again ?? alone, externals, site });
}

/** The constants of the app's `vite.config`, which loads Vite. */
async function readConstantsOf({ projectRoot }: App): Promise<BundleAppOptions['constants']> {
  if (!hasViteConfig(projectRoot)) return undefined;
  const { readConstants } = await import('../site/vite-constants.ts');
  return readConstants(projectRoot);
}

/** Whether pages rendered on request can share modules with the routes. */
function isShared({ server, site, output }: ExportPlan): boolean {
  return server && site !== undefined && output === 'server';
}

/** Where the route code goes: into the export at once, or only when it is known to be final. */
interface CodeWriter {
  write: OnCode;
  hold: OnCode;
  writeHeld(): void;
}

function createCodeWriter({ projectRoot }: App, { folder, outputDir, sourceMaps }: BuildOptions): CodeWriter {
  const held: BundledCode[] = [];
  const write: OnCode = ({ output, code, map }) => {
    const file = path.join(outputDir, 'server', output);
    const module = { output, code, map: map && toSourceMap(map, { projectRoot, file }) };
    writeModule(path.join(folder, 'server'), module, { sourceMaps });
  };
  return {
    write,
    hold: (code) => void held.push(code),
    writeHeld() {
      for (const code of held) write(code);
    },
  };
}

/** What the pages wait for: the bundled routes, and which of their modules pages may import. */
interface Offer {
  allBundled: Promise<void>;
  shareable: Promise<readonly ShareableModule[]>;
  onBundled: NonNullable<BundleAppOptions['onBundled']>;
  /** No more modules will be offered. */
  end(): void;
}

function createOffer({ plan, cache, signal }: BuildOptions & { signal: AbortSignal }): Offer {
  const allBundled = Promise.withResolvers<void>();
  const shareable = Promise.withResolvers<readonly ShareableModule[]>();
  if (!isShared(plan)) shareable.resolve([]);
  return {
    allBundled: allBundled.promise,
    shareable: shareable.promise,
    onBundled({ modules, shareable: found }) {
      allBundled.resolve();
      shareable.resolve(found);
      // The next bundling has its own threads, and this one waits for it.
      if (plan.site) void readAhead(modules, { cache, signal });
    },
    end: () => shareable.resolve([]),
  };
}

function refuseProblems(routes: BundledRoutes, problems: readonly Problem[]): BundledRoutes {
  const all = [...problems, ...routes.problems];
  if (all.length > 0) throw new ExportError(all);
  return routes;
}

interface Sharing extends Pick<BundleAppOptions, 'minify' | 'constants' | 'cache' | 'signal'> {
  shared: readonly ShareableModule[];
  /** Where pages rendered by the export find the chunks. */
  otherFolder: string;
  write: OnCode;
}

/** Bundles the routes again, with the modules that pages import from them in separate chunks. */
async function bundleShared(app: App, { otherFolder, write, ...options }: Sharing): Promise<BundledApp> {
  const writeTwice: OnCode = (file) => {
    write(file);
    if (file.output.startsWith(CHUNKS)) writeFileIn(otherFolder, file.output, file.code);
  };
  // Without this, a `"type": "module"` in a folder above would turn these files into ES modules.
  writeFileIn(otherFolder, `${CHUNKS}/package.json`, `${JSON.stringify({ type: 'commonjs' })}\n`);
  const bundled = await bundleApp(app, { ...options, onCode: writeTwice });
  if (bundled.problems.length > 0) throw new ExportError(bundled.problems);
  return bundled;
}

/** Each package exists once in a server build, so it gets one place that suits everything that uses it. */
async function traceTogether(app: App, { bundled, externals, site }: BuiltApp): Promise<BuiltApp> {
  if (!site || site.importedExternals.size === 0) return { bundled, externals, site };
  // What only finished pages import has been used.
  const named = app.config.external?.filter((name) => !site.importedExternals.has(name));
  const traced = await trace(app, [...bundled.external, ...site.external], named);
  if (traced.problems.length > 0) throw new ExportError(traced.problems);
  return { bundled, externals: traced.files, site };
}

/** The bundled routes and middleware, and the files they need next to them. */
interface BundledRoutes {
  bundled: BundledApp;
  externals: readonly TracedFile[];
  problems: Problem[];
}

/** Bundles the routes and the middleware, if the export has a server. */
export async function bundleRoutes(
  app: App,
  { plan: { server, site }, pages }: Pick<BuildOptions, 'plan' | 'pages'>,
  options: BundleAppOptions,
): Promise<BundledRoutes> {
  const bundled = await bundleApp(server ? app : { ...app, routes: [], middleware: [], jobs: [] }, options);
  const traced = await trace(app, bundled.external);
  const clashes = findPageClashes(site?.pages ?? [], { routes: bundled.routes, actions: pages.actions });
  return { bundled, externals: traced.files, problems: [...bundled.problems, ...traced.problems, ...clashes] };
}

function trace(
  { projectRoot, config }: App,
  uses: BundledApp['external'],
  named = config.external,
): ReturnType<typeof traceExternals> {
  return traceExternals(uses, { projectRoot, configFile: config.file, named });
}

async function buildPages(
  { projectRoot, config, routes, jobs }: App,
  options: BuildOptions & Pick<SiteOptions, 'routes' | 'shareable' | 'writeRoutes' | 'signal'>,
): Promise<BuiltSite | undefined> {
  const { output, server, site } = options.plan;
  if (!site) return undefined;
  const patterns = server ? routes.map(({ pattern }) => pattern) : [];
  // A site needs as many modules of ours as everything else.
  const { buildSite } = await import('../site/build-site.ts');
  return buildSite(site, {
    ...options,
    projectRoot,
    output,
    jobs,
    exports: options.pages,
    serverSourceMaps: options.sourceMaps,
    external: config.external,
    strictFetch: config.strictFetch,
    documents: findDocuments(patterns, site.pages),
    rules: server ? findRules(config, site.pages) : [],
    base: config.base,
    trailingSlash: config.trailingSlash,
  });
}
