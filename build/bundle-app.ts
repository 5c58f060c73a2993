import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';

import type { Manifest, Method } from 'appkit-server/manifest';

import { type Bundle, bundle, type BundleOptions } from './bundle.ts';
import type { BundleCache } from './cache/bundle-cache.ts';
import { checkMiddlewareExports, checkRouteExports, type ExportingFile } from './check-exports.ts';
import type { ExternalUse } from './external-packages.ts';
import type { App } from './load-app.ts';
import type { PluginOptions } from './plugin-options.ts';
import type { Problem } from './problem.ts';
import { runBounded } from './run-bounded.ts';
import type { RouteFile, ServerFile } from './scan.ts';
import type { Asset } from './site/assets.ts';

/** Told after each file, in the order in which they are finished. */
export type OnProgress = (progress: { done: number; total: number; file: string }) => void;

/** The code of one file of the server build. */
export interface BundledCode {
  /** Where it goes, relative to the server build. */
  output: string;
  code: string;
  map: string;
}

/** Takes the code of each file once it is bundled, so that nobody has to hold that of a whole app in memory. */
export type OnCode = (code: BundledCode) => void;

/** A bundled file, without its code. */
export interface BundledFile extends ServerFile {
  /** The size of its code. */
  bytes: number;
}

/** A bundled `+api` file. */
export interface BundledRoute extends BundledFile {
  pattern: string;
  methods: Method[];
  /** It may call a helper of appkit-server. */
  usesContext: boolean;
}

/** Every server file of an app, bundled, and what was found on the way. */
export interface BundledApp {
  routes: BundledRoute[];
  middleware?: BundledFile;
  external: ExternalUse[];
  /** Files that its code knows the URLs of, each once. They belong into dist/client. */
  assets: Asset[];
  /** The modules of the app that are in any of them. */
  modules: Set<string>;
  problems: Problem[];
  warnings: string[];
}

/** The key of the store that every copy of the helpers asks: a bundle without it has none of them. */
const CONTEXT = 'appkit.requestContext';

/** The bundler has threads of its own; a few files at once keep them busy. */
const FILES_AT_ONCE = 4;

/** Bundles the routes and the middleware of an app, each for itself: no file of the output needs another. */
export async function bundleApp(
  app: Pick<App, 'projectRoot' | 'config' | 'routes'> & { middleware?: ServerFile | undefined },
  {
    minify,
    cache,
    onCode,
    onProgress,
    signal,
  }: {
    minify: boolean;
    /** Bundles of former exports. */
    cache?: BundleCache | undefined;
    onCode?: OnCode | undefined;
    onProgress?: OnProgress | undefined;
    signal?: AbortSignal | undefined;
  },
): Promise<BundledApp> {
  const result: BundledApp = { routes: [], external: [], assets: [], modules: new Set(), problems: [], warnings: [] };
  const files: (RouteFile | ServerFile)[] = app.middleware ? [...app.routes, app.middleware] : [...app.routes];
  let done = 0;

  const work = async (file: RouteFile | ServerFile): Promise<void> => {
    signal?.throwIfAborted();
    const { external: packages, strictFetch } = app.config;
    const options = { projectRoot: app.projectRoot, external: packages, strictFetch, minify };
    const bundled = await bundleOnce(file.file, options, cache);
    const { code, map, exports, external, assets, modules, problems, warnings } = bundled;
    result.external.push(...external);
    result.assets.push(...assets);
    for (const module of modules) result.modules.add(module);
    result.problems.push(...problems);
    result.warnings.push(...warnings);
    if (exports) {
      // What stays outside may bring helpers of its own.
      const usesContext = external.length > 0 || code.includes(CONTEXT);
      const described = { file: file.file, output: file.output, bytes: Buffer.byteLength(code) };
      const checked = checkExports(file, { projectRoot: app.projectRoot, exports, cache });
      result.problems.push(...checked.problems);
      if ('pattern' in file) {
        result.routes.push({ ...described, pattern: file.pattern, methods: checked.methods, usesContext });
      } else result.middleware = described;
      // With a problem there is no export, so whatever is bundled from then on is only looked at.
      if (result.problems.length === 0) onCode?.({ output: file.output, code, map });
    }
    onProgress?.({ done: ++done, total: files.length, file: file.file });
  };
  await runBounded(files, work, { limit: FILES_AT_ONCE });

  result.routes.sort((a, b) => (a.pattern < b.pattern ? -1 : 1));
  result.assets = [...new Map(result.assets.map((asset) => [asset.file, asset])).values()].toSorted((a, b) =>
    a.file < b.file ? -1 : 1,
  );
  result.warnings = [...new Set(result.warnings)].toSorted();
  return result;
}

/** What the cache keeps of a bundle beside its code and its map. */
type Kept = Pick<Bundle, 'exports' | 'assets' | 'modules' | 'warnings'>;

/** Bundles a file, or gives what a former export has made of the same. */
async function bundleOnce(
  file: string,
  options: BundleOptions,
  cache: BundleCache | undefined,
): Promise<Omit<Bundle, 'read'>> {
  const what = ['route', file, options];
  const found = cache?.find(what);
  if (found) {
    const [code = '', map = ''] = ['code', 'map'].map((name) => found.files.get(name)?.toString());
    // Nothing here waits, and pages that have been rendered meanwhile are to be written.
    await setImmediate();
    return { ...(found.value as Kept), code, map, external: [], problems: [] }; // as it was kept below
  }
  const bundled = await bundle(file, options);
  const { code, map, exports, external, assets, modules, problems, warnings, read } = bundled;
  // Of an external package more counts than the files in the bundle.
  if (cache && exports && problems.length + external.length === 0) {
    const files = new Map(Object.entries({ code: Buffer.from(code), map: Buffer.from(map) }));
    const value: Kept = { exports, assets, modules, warnings };
    cache.keep(what, read, { value, files });
  }
  return bundled;
}

/** Checks what a file exports, or gives what a former export has found of the same. */
function checkExports(
  { file, ...kind }: RouteFile | ServerFile,
  { projectRoot, exports, cache }: { projectRoot: string; exports: readonly string[]; cache: BundleCache | undefined },
): { methods: Method[]; problems: Problem[] } {
  const source = path.join(projectRoot, file);
  const isRoute = 'pattern' in kind;
  const check = (): { methods: Method[]; problems: Problem[] } => {
    const exporting: ExportingFile = { file, source: readFileSync(source, 'utf8'), exports };
    return isRoute ? checkRouteExports(exporting) : { methods: [], problems: checkMiddlewareExports(exporting) };
  };
  return cache ? cache.recall(['handlers', isRoute, file, exports, cache.hashFile(source)], check) : check();
}

/** What the runtime is told about an app beside its routes. */
export type ManifestOptions = Pick<PluginOptions, 'implicitHead' | 'strictFetch'> &
  Pick<Manifest, 'pages' | 'notFound' | 'redirects' | 'rewrites' | 'headers'>;

/** What the runtime is told about an app. */
export function toManifest(
  // What is not bundled does not say what it uses.
  bundled: {
    routes: readonly (RouteFile & { methods: Method[]; usesContext?: boolean })[];
    middleware?: ServerFile | undefined;
  },
  { implicitHead, strictFetch, pages, notFound, redirects, rewrites, headers }: ManifestOptions,
): Manifest {
  const added = {
    ...(pages ? { pages } : {}),
    ...(notFound ? { notFound } : {}),
    ...(redirects ? { redirects } : {}),
    ...(rewrites ? { rewrites } : {}),
    ...(headers ? { headers } : {}),
  };
  return {
    // The version of runtime/manifest.ts that the fields below follow. Its value is not imported: the runtime may be
    // newer or older than this package, and compares. One of version 1 would not see what was added since.
    version: Object.keys(added).length > 0 ? 2 : 1,
    routes: bundled.routes.map(({ pattern, output, methods, usesContext }) => ({
      pattern,
      file: output,
      methods,
      ...(usesContext === false ? { usesContext } : {}),
    })),
    ...(bundled.middleware ? { middleware: { file: bundled.middleware.output } } : {}),
    ...(implicitHead ? { implicitHead } : {}),
    ...(strictFetch ? {} : { boundFetch: true }),
    ...added,
  };
}
