import { describeApp, findFileProblems, toManifest } from 'appkit-build/development';
import type { AppDescription, DescribedFile } from 'appkit-build/development';
import { ExportError } from 'appkit-build/problem';
import type { ServerBuild } from 'appkit-server/manifest';
import type { ModuleExports, ServerModules } from './server-modules.ts';
import type { SitePages } from './site.ts';

/** The initial, empty description of an app. */
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

/** Describes the app. If that fails, the result makes every request be answered with the reason. */
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
 * @throws ExportError for a file that an export would refuse.
 */
export async function loadFile(app: AppDescription, file: string, modules: ServerModules): Promise<ModuleExports> {
  const known = [...app.routes, ...app.middleware, ...app.jobs].find((candidate) => candidate.file === file);
  const problems = known?.problems ?? [];
  if (problems.length > 0) throw new ExportError(problems);
  try {
    return await modules.load(file);
  } catch (error) {
    // If an export would find the problem too, its message says more than the error here.
    const problems = await findFileProblems(app, file).catch(() => []);
    throw problems.length > 0 ? new ExportError(problems) : error;
  }
}

/** The same object that `dist/server/index.js` of an export exports. */
export function toServerBuild(
  { config, hasServer, routes, middleware, jobs, problems }: AppDescription,
  { pages, load }: { pages: SitePages; load: (file: string) => Promise<ModuleExports> },
): ServerBuild {
  // Named after the sources, because the names appear in messages.
  const fromSource = <File extends DescribedFile>(described: File): File => ({ ...described, output: described.file });
  const sources = {
    routes: routes.map(fromSource),
    middleware: middleware.map(fromSource),
    jobs: jobs.map(fromSource),
  };
  const files: DescribedFile[] = [...sources.routes, ...sources.middleware, ...sources.jobs];
  const modules = Object.fromEntries(files.map(({ file }) => [file, () => load(file)]));
  const { implicitHead, base } = config;
  // Modules in development have the globals of Node, as with strictFetch. What a route reads of its request is
  // recorded, as in an export that calls cache().
  const options = {
    ...(hasServer && config),
    implicitHead,
    strictFetch: true,
    usesCache: true,
    ...(base && { base }),
    ...pages.manifest,
  };
  const manifest = toManifest(sources, options);
  if (problems.length === 0) return { manifest, modules: { ...modules, ...pages.modules } };
  // Such an app cannot be exported, so no request is answered, least of all one that bypasses a misnamed middleware.
  const refuse = (): never => {
    throw new ExportError(problems);
  };
  return { manifest: { ...manifest, middleware: { file: 'problems' } }, modules: { ...modules, problems: refuse } };
}
