import { describeApp, findFileProblems, toManifest } from 'appkit-build/development';
import type { AppDescription, DescribedFile } from 'appkit-build/development';
import { ExportError } from 'appkit-build/problem';
import type { ServerBuild } from 'appkit-server/manifest';
import type { ModuleExports, ServerModules } from './server-modules.ts';
import type { SitePages } from './site.ts';

/** What a description begins from. */
export function nothingYet(projectRoot: string): AppDescription {
  const config = { file: 'app.json', implicitHead: false, external: [], strictFetch: false };
  return {
    projectRoot,
    config,
    hasRoutesFolder: true,
    hasServer: false,
    routes: [],
    middleware: [],
    jobs: [],
    problems: [],
    warnings: [],
  };
}

/** An app that cannot be described is one that answers every request by saying why. */
export async function describe(before: AppDescription): Promise<AppDescription> {
  try {
    return await describeApp(before);
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    return { ...before, problems: [...error.problems] };
  }
}

/**
 * Imports a file of the server build.
 *
 * @throws ExportError for what an export would refuse.
 */
export async function loadFile(app: AppDescription, file: string, modules: ServerModules): Promise<ModuleExports> {
  const known = [...app.routes, ...app.middleware, ...app.jobs].find((candidate) => candidate.file === file);
  const problems = known?.problems ?? [];
  if (problems.length > 0) throw new ExportError(problems);
  try {
    return await modules.load(file);
  } catch (error) {
    // It may be one that an export would find: that says more than whatever it has led to here.
    const problems = await findFileProblems(app, file).catch(() => []);
    throw problems.length > 0 ? new ExportError(problems) : error;
  }
}

/** The same object that `dist/server/index.js` of an export exports. */
export function toServerBuild(
  { config, hasServer, routes, middleware, jobs, problems }: AppDescription,
  { pages, load }: { pages: SitePages; load: (file: string) => Promise<ModuleExports> },
): ServerBuild {
  // By the names of the sources, which stand in messages.
  const fromSource = <File extends DescribedFile>(described: File): File => ({ ...described, output: described.file });
  const sources = {
    routes: routes.map(fromSource),
    middleware: middleware.map(fromSource),
    jobs: jobs.map(fromSource),
  };
  const files: DescribedFile[] = [...sources.routes, ...sources.middleware, ...sources.jobs];
  const modules = Object.fromEntries(files.map(({ file }) => [file, () => load(file)]));
  const { implicitHead, base, redirects, rewrites, headers, cache, formOrigins } = config;
  const rules = hasServer
    ? {
        ...(redirects && { redirects }),
        ...(rewrites && { rewrites }),
        ...(headers && { headers }),
        ...(cache && { cache }),
        ...(formOrigins && { formOrigins }),
      }
    : {};
  // Modules in development have the globals of Node, as with strictFetch.
  // What a route looks at is noted, as in an export that calls cache().
  const options = {
    implicitHead,
    strictFetch: true,
    usesCache: true,
    ...(base && { base }),
    ...rules,
    ...pages.manifest,
  };
  const manifest = toManifest(sources, options);
  if (problems.length === 0) return { manifest, modules: { ...modules, ...pages.modules } };
  // Nothing of such an app can be exported, so nothing is answered either, least of all past a misnamed middleware.
  const refuse = (): never => {
    throw new ExportError(problems);
  };
  return { manifest: { ...manifest, middleware: { file: 'problems' } }, modules: { ...modules, problems: refuse } };
}
