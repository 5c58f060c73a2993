import { readFile } from 'node:fs/promises';
import path from 'node:path';

import type { Method } from 'appkit-server/manifest';
import { parseSync } from 'rolldown/utils';

import type { AppConfig } from '../config/app-config.ts';
import { bundle } from '../bundle/bundle.ts';
import type { Bundle } from '../bundle/attempt.ts';
import { checkJobExports, checkMiddlewareExports, checkRouteExports } from './check-exports.ts';
import type { ExportingFile } from './check-exports.ts';
import { planExport } from './plan-export.ts';
import { describeSite } from './describe-site.ts';
import type { DescribedSite } from './describe-site.ts';
import { loadApp } from './load-app.ts';
import type { App } from './load-app.ts';
import type { JobFile } from './job-name.ts';
import type { ShownSettings } from './job-settings.ts';
import type { MiddlewareFile } from './middleware.ts';
import { toRouteName } from './misnamed.ts';
import { findPageClashes } from './page-clashes.ts';
import type { Problem } from '../problem.ts';
import { toPatternKey, toRoutePath } from './route-path.ts';
import type { ServerFile } from './scan.ts';

/**
 * An app as a development server needs it: read from its files, bundling only the ones that cannot be read on their
 * own.
 */
export interface AppDescription {
  /** The real path of the project. */
  projectRoot: string;
  /** The parts of the config that matter to routes. */
  config: AppConfig;
  /** Whether the app has a folder for routes and pages. If not, that is among the problems. */
  hasRoutesFolder: boolean;
  /** The routes, ordered by pattern; no two match the same paths. Empty when the config does not export them. */
  routes: DescribedRoute[];
  /** The middleware, outermost first. Empty when the config does not export a server. */
  middleware: DescribedMiddleware[];
  /** The jobs. Empty when the config does not export a server. */
  jobs: DescribedJob[];
  /** Whether the config exports a server, which then applies the config's redirects, rewrites and headers. */
  hasServer: boolean;
  /** The pages, if the app has any. */
  site?: DescribedSite;
  /** The problems that do not belong to a single route. */
  problems: Problem[];
  /** The warnings of `appkit export`. */
  warnings: string[];
}

/** A source file that becomes a file of the server build. */
export interface DescribedFile extends ServerFile {
  /** Why it cannot be exported. */
  problems: Problem[];
}

/** A `+middleware` file. */
export interface DescribedMiddleware extends DescribedFile, MiddlewareFile {}

/** A `+job` file. */
export interface DescribedJob extends DescribedFile, JobFile {
  /** As its source shows them. */
  settings: ShownSettings;
}

/** An API route, or a file that was meant to be one and says so in its problems. */
export interface DescribedRoute extends DescribedFile {
  /** The URL path it answers, such as `/users/[id]`. */
  pattern: string;
  /** The methods it has handlers for. */
  methods: Method[];
}

/**
 * Describes an app. Writes nothing.
 *
 * @throws ExportError when there is no such project, or its config cannot be read.
 */
export async function describeApp(options: {
  /** The folder of the app: absolute, or relative to the working directory. */
  projectRoot: string;
}): Promise<AppDescription> {
  const app = await loadApp(options.projectRoot);
  const { projectRoot, config } = app;
  const plan = planExport(app, { ssg: true });
  const described = plan.site && describeSite(plan.site, { projectRoot, output: plan.output });
  const common = {
    projectRoot,
    config,
    hasRoutesFolder: app.routesFolder !== undefined,
    hasServer: plan.server,
    ...(described ? { site: described.site } : {}),
    warnings: [...app.warnings, ...plan.warnings],
  };
  const ofPages = described?.problems ?? [];
  if (!plan.server) return { ...common, routes: [], middleware: [], jobs: [], problems: [...app.problems, ...ofPages] };

  const problemsOf = (file: string): Problem[] => app.problems.filter((problem) => problem.file === file);
  const routes = new Map<string, DescribedRoute>();
  for (const route of app.routes) {
    const key = toPatternKey(route.pattern);
    // When two routes have the same URL, the first one has the problem that names both.
    if (routes.has(key)) continue;
    const { methods, problems } = await readExports(app, route.file, checkRouteExports);
    routes.set(key, { ...route, methods: methods ?? [], problems: [...problemsOf(route.file), ...problems] });
  }
  // A request for the path gets the page.
  const pages = described?.site.pages ?? [];
  const clashes = findPageClashes(pages, {
    routes: [...routes.values()],
    actions: new Set(pages.flatMap(({ file, hasAction }) => (hasAction ? [file] : []))),
  });
  for (const page of pages) page.problems.push(...clashes.filter(({ file }) => file === page.file));
  const middleware: DescribedMiddleware[] = [];
  for (const file of app.middleware) {
    const check: ExportCheck = (exporting) => ({ problems: checkMiddlewareExports(exporting, file) });
    const { problems } = await readExports(app, file.file, check);
    middleware.push({ ...file, problems: [...problemsOf(file.file), ...problems] });
  }
  const jobs: DescribedJob[] = [];
  for (const file of app.jobs) {
    const { settings = {}, problems } = await readExports(app, file.file, checkJobExports);
    jobs.push({ ...file, settings, problems: [...problemsOf(file.file), ...problems] });
  }
  const named = new Set(listServerFiles(app));
  const general: Problem[] = [...ofPages];
  for (const problem of app.problems) {
    if (named.has(problem.file)) continue;
    const pattern = findMeantPattern(app, problem.file);
    const key = pattern === undefined ? '' : toPatternKey(pattern);
    if (pattern === undefined || routes.has(key)) general.push(problem);
    else routes.set(key, { file: problem.file, output: problem.file, pattern, methods: [], problems: [problem] });
  }
  return {
    ...common,
    routes: [...routes.values()].toSorted((a, b) => (a.pattern < b.pattern ? -1 : 1)),
    middleware,
    jobs,
    problems: general,
  };
}

/** Finds why a server file cannot be exported, in the words of the export, by bundling it. Writes nothing. */
export async function findFileProblems({ projectRoot, config }: AppDescription, file: string): Promise<Problem[]> {
  return (await bundleFile(file, { projectRoot, config })).problems;
}

function listServerFiles({ routes, middleware, jobs }: App): string[] {
  return [...routes, ...middleware, ...jobs].map(({ file }) => file);
}

type ExportCheck = (file: ExportingFile) => { methods?: Method[]; settings?: ShownSettings; problems: Problem[] };

async function readExports(app: App, file: string, check: ExportCheck): Promise<ReturnType<ExportCheck>> {
  const source = await readFile(path.join(app.projectRoot, file), 'utf8');
  const exports = readExportNames(file, source);
  if (exports) return check({ file, source, exports });
  const { files, problems } = await bundleFile(file, app);
  const bundled = files.get(file);
  return bundled ? check({ file, source, exports: bundled.exports }) : { problems };
}

function bundleFile(file: string, { projectRoot, config }: Pick<App, 'projectRoot' | 'config'>): Promise<Bundle> {
  const { external, strictFetch } = config;
  // Nothing is written.
  const output = `_appkit/functions/${file}`;
  return bundle([{ file, output }], { projectRoot, external, strictFetch, minify: false });
}

/** The names a source exports, unless they depend on other files or it cannot be parsed. */
function readExportNames(file: string, source: string): string[] | undefined {
  const { module, errors } = parseSync(file, source);
  if (errors.length > 0) return undefined;
  const names: string[] = [];
  for (const entry of module.staticExports.flatMap(({ entries }) => entries)) {
    if (entry.isType) continue;
    if (entry.exportName.kind === 'None') return undefined;
    names.push(entry.exportName.kind === 'Default' ? 'default' : (entry.exportName.name ?? ''));
  }
  return names;
}

/** The URL that a file with a wrong name was meant to answer. */
function findMeantPattern({ projectRoot, routesFolder }: App, file: string): string | undefined {
  if (routesFolder === undefined) return undefined;
  const { dir, base } = path.posix.parse(path.relative(routesFolder, path.join(projectRoot, file)));
  const name = /^(.+?)[-+._]apis?\b/i.test(base) || /\.(?:android|ios|native|web)\+api\./.test(base) ? base : undefined;
  if (name === undefined || /middleware/i.test(base)) return undefined;
  const stem = toRouteName(name.replace(/\.(?:android|ios|native|web)(?=[.+])/, '')).replace(/\+api\.\w+$/, '');
  const route = toRoutePath(path.posix.join(dir, stem));
  return 'pattern' in route ? route.pattern : undefined;
}
