import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';

import type { Method } from 'appkit-server/manifest';

import { bundle } from './bundle.ts';
import type { Bundle, BundledSource, BundleOptions } from './attempt.ts';
import type { BundleCache } from '../cache/bundle-cache.ts';
import { checkJobExports, checkMiddlewareExports, checkRouteExports, showsHandlers } from '../app/check-exports.ts';
import type { ExportingFile } from '../app/check-exports.ts';
import type { ExternalUse } from '../packages/external-packages.ts';
import { toFacadeName } from './facades.ts';
import type { ShareableModule } from './facades.ts';
import type { App } from '../app/load-app.ts';
import type { Problem } from '../problem.ts';
import { runBounded } from '../output/run-bounded.ts';
import type { JobFile } from '../app/job-name.ts';
import type { ShownSettings } from '../app/job-settings.ts';
import type { MiddlewareFile } from '../app/middleware.ts';
import type { RouteFile, ServerFile } from '../app/scan.ts';
import type { Asset } from './plugins/assets.ts';
import type { PageOptions, PagePart } from './plugins/page-parts.ts';
import { CHUNKS, listNeeded } from './server-chunks.ts';
import type { ServerChunk } from './server-chunks.ts';
import type { BundleMap } from './source-map.ts';

/** Called after each file, in the order in which they finish. */
export type OnProgress = (progress: { done: number; total: number; file: string }) => void;

/** The code of one file of the server build. */
export interface BundledCode {
  /** Where it is written, relative to the server build. */
  output: string;
  code: string;
  map?: BundleMap | undefined;
}

/** Receives the code of each file. */
export type OnCode = (code: BundledCode) => void;

/** A bundled file, without its code. */
export interface BundledFile extends ServerFile {
  /** The size of its code plus that of all chunks it needs. */
  bytes: number;
  /** It may call `cache()`. */
  usesCache: boolean;
}

/** A bundled `+api` file. */
export interface BundledRoute extends BundledFile {
  pattern: string;
  methods: Method[];
}

/** A bundled `+middleware` file. */
export interface BundledMiddleware extends BundledFile, MiddlewareFile {}

/** A bundled `+job` file. */
export interface BundledJob extends BundledFile, JobFile {
  /** As its source shows them. */
  settings: ShownSettings;
}

/** Every server file of an app, bundled, with the findings. */
export interface BundledApp {
  routes: BundledRoute[];
  /** The outermost first. */
  middleware: BundledMiddleware[];
  jobs: BundledJob[];
  external: ExternalUse[];
  /** Files whose URLs the code contains, each once. They belong in dist/client. */
  assets: Asset[];
  /** The app's modules in any of the bundles. */
  modules: Set<string>;
  /** The same, plus package modules, that pages could import from the same chunks. */
  shareable: readonly ShareableModule[];
  /**
   * Whether any of its code may call a helper of appkit-server. It is not known of one file: what the code of a file
   * calls may have come from another, through a module that both import or through a global.
   */
  usesContext: boolean;
  /** Whether the modules that pages import from its chunks may call `cache()`. */
  sharedUsesCache: boolean;
  problems: Problem[];
  warnings: string[];
}

/** The key of the store that every copy of the helpers reads: code without this key contains no helper. */
const CONTEXT = 'appkit.requestContext';

/** A string that only the helper `cache` contains, however it is minified. */
const CACHE = 'cache() of appkit-server';

/** Whether code may call a helper of appkit-server. External packages may contain their own helpers. */
export function mayUseContext(chunks: Iterable<{ code: string }>, external: readonly unknown[]): boolean {
  return external.length > 0 || [...chunks].some(({ code }) => code.includes(CONTEXT));
}

/** Whether code may call `cache()`. */
export function mayUseCache({ code }: { code: string }): boolean {
  return code.includes(CACHE);
}

/**
 * How many files are bundled at once when they are bundled one by one: the bundler has its own threads, and a few keep
 * them busy.
 */
const FILES_AT_ONCE = 4;

/** How many small files are checked and written before other work gets its turn: a turn costs as much as a file. */
const FILES_IN_A_ROW = 16;

/** What {@link bundleApp} depends on besides the app. */
export interface BundleAppOptions {
  minify: boolean;
  /** Names that stand for code: the constants of the app's `vite.config`. Default: none. */
  constants?: Readonly<Record<string, string>> | undefined;
  /** The loaders of pages, in development. Default: none. */
  pages?: (PageOptions & { parts: readonly (PagePart | ServerFile)[] }) | undefined;
  /** Whether workerd runs the bundle as it is, without the packages that are external. Default: `false`. */
  inWorkerd?: boolean | undefined;
  /** Whether pages could import modules from the chunks. Default: `false`. */
  offered?: boolean | undefined;
  /** Modules that pages import from the chunks. Default: none. */
  shared?: readonly ShareableModule[] | undefined;
  /** Bundles of earlier exports. */
  cache?: BundleCache | undefined;
  /** Called with the modules once none has a problem, before they are put into files. */
  onBundled?: ((bundled: Pick<Bundle, 'modules' | 'shareable'>) => void) | undefined;
  onCode?: OnCode | undefined;
  onProgress?: OnProgress | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Bundles the routes, the middleware and the jobs of an app together: a module that several of them import is in a
 * shared chunk, and so is evaluated once per process.
 */
export async function bundleApp(
  app: Pick<App, 'projectRoot' | 'config' | 'routes' | 'middleware' | 'jobs'>,
  {
    minify,
    constants,
    pages,
    inWorkerd = false,
    offered = false,
    shared = [],
    cache,
    onBundled,
    onCode,
    onProgress,
    signal,
  }: BundleAppOptions,
): Promise<BundledApp> {
  const { projectRoot, config } = app;
  const files: AppFile[] = [...app.routes, ...app.middleware, ...app.jobs];
  const parts = pages?.parts ?? [];
  const { base } = config;
  const options = {
    projectRoot,
    base,
    external: config.external,
    inWorkerd,
    constants,
    strictFetch: config.strictFetch,
    minify,
    offered,
    shared,
    pages,
  };
  const bundled = await bundleOnce([...files, ...parts], options, { cache, signal });
  if (bundled.problems.length === 0) onBundled?.(bundled);
  const result: BundledApp = {
    routes: [],
    middleware: [],
    jobs: [],
    external: bundled.external,
    assets: toUnique(bundled.assets),
    modules: new Set(bundled.modules),
    shareable: bundled.shareable,
    usesContext: mayUseContext(bundled.chunks.values(), bundled.external),
    sharedUsesCache: false,
    problems: [...bundled.problems],
    warnings: [...new Set(bundled.warnings)].toSorted(),
  };
  const measure = createMeasure(bundled.chunks);
  result.sharedUsesCache = shared.some(({ id }) => measure(toFacadeFile(projectRoot, id)).usesCache);
  for (const [index, file] of files.entries()) {
    // Nothing else waits here, and pages rendered meanwhile have to be written.
    if (index % FILES_IN_A_ROW === 0) await setImmediate();
    signal?.throwIfAborted();
    const source = bundled.files.get(file.file);
    if (source) {
      const { bytes, usesCache } = measure(source.chunk);
      const described = { file: file.file, output: file.output, bytes, usesCache };
      const checked = checkExports(file, { projectRoot, exports: source.exports, cache });
      result.problems.push(...checked.problems);
      if ('job' in file) result.jobs.push({ ...file, ...described, settings: checked.settings });
      else if ('role' in file) result.middleware.push({ ...file, ...described });
      else result.routes.push({ ...described, pattern: file.pattern, methods: checked.methods });
      // With a problem there is no export, so everything after it is only checked.
      const chunk = bundled.chunks.get(source.chunk);
      if (chunk && result.problems.length === 0) onCode?.({ ...chunk, output: file.output });
    }
    onProgress?.({ done: index + 1, total: files.length, file: file.file });
  }
  for (const { file, output } of result.problems.length === 0 ? parts : []) {
    const chunk = bundled.chunks.get(bundled.files.get(file)?.chunk ?? '');
    if (chunk) onCode?.({ ...chunk, output });
  }
  result.routes.sort((a, b) => (a.pattern < b.pattern ? -1 : 1));
  if (result.problems.length > 0) return result;
  const given = new Set([...bundled.files.values()].map(({ chunk }) => chunk));
  for (const [output, chunk] of bundled.chunks) {
    if (given.has(output)) continue;
    await setImmediate();
    signal?.throwIfAborted();
    onCode?.({ ...chunk, output });
  }
  return result;
}

type AppFile = RouteFile | MiddlewareFile | JobFile;

/** The chunk that provides a module to pages. */
function toFacadeFile(projectRoot: string, id: string): string {
  return `${CHUNKS}/${toFacadeName(projectRoot, id)}.js`;
}

function toUnique(assets: readonly Asset[]): Asset[] {
  return [...new Map(assets.map((asset) => [asset.file, asset])).values()].toSorted((a, b) =>
    a.file < b.file ? -1 : 1,
  );
}

/** Finds how much code a chunk loads, and whether any of it may call `cache()`. */
function createMeasure(chunks: Bundle['chunks']): (chunk: string) => Measured {
  const measured = new Map(
    [...chunks].map(([name, chunk]): [string, Measured] => [
      name,
      {
        bytes: Buffer.byteLength(chunk.code),
        usesCache: mayUseCache(chunk),
      },
    ]),
  );
  return (chunk) => {
    const all = listNeeded(chunk, chunks).flatMap((name) => measured.get(name) ?? []);
    return {
      bytes: all.reduce((sum, { bytes }) => sum + bytes, 0),
      usesCache: all.some((each) => each.usesCache),
    };
  };
}

/** What the code of a file and everything it needs tell. */
interface Measured {
  bytes: number;
  usesCache: boolean;
}

/** Bundles files, or returns what an earlier export made of the same files. */
async function bundleOnce(
  files: readonly ServerFile[],
  options: BundleOptions,
  { cache, signal }: { cache: BundleCache | undefined; signal: AbortSignal | undefined },
): Promise<Omit<Bundle, 'read'>> {
  if (files.length === 0) return joinBundles([]);
  const what = ['routes', files, options];
  const kept = cache?.find(what)?.files.get(KEPT);
  if (kept) {
    const { files, chunks, ...rest }: KeptBundle = JSON.parse(kept.toString());
    return { ...rest, files: new Map(files), chunks: new Map(chunks), external: [], problems: [] }; // as it was kept below
  }
  const together = await bundle(files, options);
  // Problems that all have a place say what is wrong where, and the files without any have been bundled.
  const isPrecise = together.chunks.size > 0 && together.problems.every(({ line }) => line !== undefined);
  if (together.problems.length > 0 && !isPrecise && files.length > 1) {
    const alone = await bundleAlone(files, options, signal);
    // Even if no file is wrong by itself, a problem of all of them together prevents the export.
    return alone.problems.length > 0 ? alone : together;
  }
  const { external, problems, read, ...rest } = together;
  // For an external package, more inputs count than the files in the bundle.
  if (cache && problems.length + external.length === 0) {
    const keeping: KeptBundle = { ...rest, files: [...rest.files], chunks: [...rest.chunks] };
    const content = Buffer.from(JSON.stringify(keeping));
    cache.keep(what, read, { value: null, files: new Map([[KEPT, content]]) });
  }
  return together;
}

/** What the cache keeps of a bundle, as JSON. */
interface KeptBundle extends Omit<Bundle, 'files' | 'chunks' | 'external' | 'problems' | 'read'> {
  files: [string, BundledSource][];
  chunks: [string, ServerChunk][];
}

const KEPT = 'bundle';

/**
 * Bundles files one by one, to find the problems of each. That takes long for many. The result is not a server build:
 * the files share no chunks.
 */
async function bundleAlone(
  files: readonly ServerFile[],
  options: BundleOptions,
  signal: AbortSignal | undefined,
): Promise<Bundle> {
  const work = async (file: ServerFile): Promise<Bundle> => {
    signal?.throwIfAborted();
    return bundle([file], options);
  };
  return joinBundles(await runBounded(files, work, { limit: FILES_AT_ONCE }));
}

function joinBundles(bundles: readonly Bundle[]): Bundle {
  return {
    files: new Map(bundles.flatMap(({ files }) => [...files])),
    chunks: new Map(bundles.flatMap(({ chunks }) => [...chunks])),
    external: bundles.flatMap(({ external }) => external),
    assets: bundles.flatMap(({ assets }) => assets),
    modules: bundles.flatMap(({ modules }) => modules),
    shareable: [],
    read: {
      modules: bundles.flatMap(({ read }) => [...read.modules]),
      missing: bundles.flatMap(({ read }) => read.missing ?? []),
    },
    problems: bundles.flatMap(({ problems }) => problems),
    warnings: bundles.flatMap(({ warnings }) => warnings),
  };
}

/** Checks a file's exports, or returns what an earlier export found for the same file. */
function checkExports(
  { file, ...kind }: AppFile,
  { projectRoot, exports, cache }: { projectRoot: string; exports: readonly string[]; cache: BundleCache | undefined },
): CheckedExports {
  const source = path.join(projectRoot, file);
  const role = 'role' in kind ? kind.role : 'job' in kind ? 'job' : undefined;
  const exporting: ExportingFile = { file, source: readFileSync(source, 'utf8'), exports };
  const check = (): CheckedExports => {
    const none = { methods: [], settings: {} };
    if (role === 'job') return { ...none, ...checkJobExports(exporting) };
    return role === undefined
      ? { ...none, ...checkRouteExports(exporting) }
      : { ...none, problems: checkMiddlewareExports(exporting, { role }) };
  };
  // Remembering takes longer than looking again.
  if (!cache || (role === undefined && showsHandlers(exporting))) return check();
  return cache.recall(['handlers', role, file, exports, cache.hashFile(source)], check);
}

/** What the exports of a file tell: a route's methods, a job's settings. */
interface CheckedExports {
  methods: Method[];
  settings: ShownSettings;
  problems: Problem[];
}
