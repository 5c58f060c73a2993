import type { Manifest, ManifestFolder, ManifestJob, ManifestPage, ManifestRoute } from 'appkit-server/manifest';

import type { JobFile } from '../app/job-name.ts';
import type { ShownSettings } from '../app/job-settings.ts';
import { findMiddleware } from '../app/middleware.ts';
import type { MiddlewareFile, SourcedPage } from '../app/middleware.ts';
import type { RouteFile } from '../app/scan.ts';
import type { PluginOptions } from '../config/plugin-options.ts';

/** Pages as manifest fields, before their middleware is found. */
export interface SourcedPages extends Pick<Manifest, 'trailingSlash'> {
  pages?: SourcedPage[];
  notFound?: SourcedPage[];
}

/** What the runtime learns about an app besides its routes. */
export type ManifestOptions = Pick<PluginOptions, 'implicitHead' | 'strictFetch'> &
  SourcedPages &
  Pick<Manifest, 'base' | 'redirects' | 'rewrites' | 'headers' | 'cache' | 'formOrigins' | 'usesCache'> & {
    /** Whether code of the pages may use the request's context. Default: `false`. */
    usesContext?: boolean;
  };

/** An app's server files. Files that are not bundled do not say what they use. */
export interface ManifestFiles {
  routes: readonly (RouteFile & Pick<ManifestRoute, 'methods' | 'usesCache'>)[];
  middleware: readonly GuardFile[];
  jobs: readonly (JobFile & { settings: ShownSettings })[];
  /** Whether any of them may use the request's context. Default: `true`. */
  usesContext?: boolean;
}

type GuardFile = MiddlewareFile & { usesCache?: boolean };

/** What the runtime learns about an app. */
export function toManifest(
  { routes, middleware, jobs, usesContext = true }: ManifestFiles,
  options: ManifestOptions,
): Manifest {
  const {
    implicitHead,
    strictFetch,
    base,
    trailingSlash,
    redirects,
    rewrites,
    headers,
    cache,
    formOrigins,
    usesCache,
  } = options;
  const guard = <Entry extends ManifestRoute | ManifestPage>(entry: Entry, source: string | undefined): Entry => {
    const guards = findMiddleware(middleware, { file: source ?? '', pattern: entry.pattern });
    return {
      ...entry,
      ...(guards.some((file) => file.usesCache) ? { usesCache: true } : {}),
      ...(guards.length > 0 ? { middleware: toOutputs(guards) } : {}),
    };
  };
  const toPage = ({ source, ...page }: SourcedPage): ManifestPage => guard(page, source);
  const pages = options.pages?.map(toPage);
  const notFound = options.notFound?.map(toPage);
  const folders = listFolders(middleware);
  const added = {
    ...(folders.length > 0 ? { folders } : {}),
    ...(pages ? { pages } : {}),
    ...(notFound ? { notFound } : {}),
    ...(pages && trailingSlash ? { trailingSlash } : {}),
    ...(redirects ? { redirects } : {}),
    ...(rewrites ? { rewrites } : {}),
    ...(headers ? { headers } : {}),
    ...(cache ? { cache } : {}),
  };
  const isWithoutContext = !usesContext && !options.usesContext;
  const top = middleware.find(({ role }) => role === 'top');
  const instrumentation = middleware.find(({ role }) => role === 'instrumentation');
  const toVersion = (): number => {
    if (jobs.length > 0) return 6;
    if (base !== undefined || middleware.some(({ role }) => role !== 'top')) return 4;
    if (pages?.some(({ hasAction }) => hasAction)) return 3;
    return Object.keys(added).length > 0 ? 2 : 1;
  };
  return {
    // The version of runtime/manifest.ts that the fields below follow. Its value is not imported: the runtime may be
    // newer or older than this package, and compares. A runtime of version 1 would ignore what was added since.
    version: toVersion(),
    ...(base === undefined ? {} : { base }),
    routes: routes.map(({ file, pattern, output, methods, usesCache: isKept = false }) =>
      guard(
        {
          pattern,
          file: output,
          methods,
          ...(isWithoutContext ? { usesContext: false } : {}),
          ...(isKept ? { usesCache: true } : {}),
        },
        file,
      ),
    ),
    ...(instrumentation ? { instrumentation: { file: instrumentation.output } } : {}),
    ...(top ? { middleware: { file: top.output, ...(top.usesCache ? { usesCache: true } : {}) } } : {}),
    ...(jobs.length > 0 ? { jobs: toManifestJobs(jobs) } : {}),
    ...(implicitHead ? { implicitHead } : {}),
    ...(formOrigins ? { formOrigins } : {}),
    ...(strictFetch ? {} : { boundFetch: true }),
    ...([{ usesCache }, ...middleware, ...routes].some((one) => one.usesCache) ? { usesCache: true } : {}),
    ...added,
  };
}

function toManifestJobs(jobs: ManifestFiles['jobs']): ManifestJob[] {
  return jobs
    .map(({ job: name, output: file, settings }) => ({ name, file, ...settings }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The folders with middleware that have their own URL, each URL once. */
function listFolders(middleware: readonly GuardFile[]): ManifestFolder[] {
  const byPattern = new Map<string, ManifestFolder>();
  for (const { file, pattern, role } of middleware) {
    if (role !== 'folder' || pattern === '/') continue;
    const guards = findMiddleware(middleware, { file, pattern });
    const others = byPattern.get(pattern)?.middleware ?? [];
    byPattern.set(pattern, {
      pattern,
      middleware: [...new Set([...others, ...toOutputs(guards)])],
      ...(guards.some((one) => one.usesCache) ? { usesCache: true } : {}),
    });
  }
  return [...byPattern.values()];
}

function toOutputs(files: readonly MiddlewareFile[]): string[] {
  return files.map(({ output }) => output);
}
