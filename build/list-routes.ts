import type { ManifestRedirect, ManifestRewrite, Method } from 'appkit-server/manifest';

import { bundleApp } from './bundle/bundle-app.ts';
import { loadApp } from './app/load-app.ts';
import type { MiddlewareRole } from './app/middleware.ts';
import { ExportError } from './problem.ts';
import { toProjectPath } from './app/project-path.ts';
import { scanPages } from './site/scan-pages.ts';

/** An API route, as a table of routes shows it. */
export interface RouteSummary {
  /** The URL path it answers, such as `/users/[id]`. */
  pattern: string;
  /** The methods it has handlers for. */
  methods: Method[];
  /** The source, relative to the project. */
  file: string;
  /** The size of its code in bytes, minified, including everything it imports. Shared imports count for each route. */
  bytes: number;
}

/** Middleware, as a table of routes shows it. */
export interface MiddlewareSummary {
  role: MiddlewareRole;
  /** The URL path of its folder. */
  pattern: string;
  /** The source, relative to the project. */
  file: string;
  /** The size of its code in bytes, minified, including everything it imports. Shared imports count for each file. */
  bytes: number;
}

/** A job, as a table of routes shows it. */
export interface JobSummary {
  /** The name it is stored under, such as `orders/mail`. */
  name: string;
  /** The source, relative to the project. */
  file: string;
  /** The size of its code in bytes, minified, including everything it imports. Shared imports count for each job. */
  bytes: number;
}

/** A page of an app, as a table of routes shows it. */
export interface PageSummary {
  /** The URL path it answers. */
  pattern: string;
  /** The source, relative to the project. */
  file: string;
}

/** What {@link listRoutes} lists. */
export interface RouteList {
  /** Ordered by pattern. Absent when there are none. */
  pages?: PageSummary[];
  /** Ordered by pattern. */
  routes: RouteSummary[];
  /** The outermost first. Absent when there is none. */
  middleware?: MiddlewareSummary[];
  /** Ordered by name. Absent when there are none. */
  jobs?: JobSummary[];
  /** As in the config. Absent when there are none. */
  redirects?: ManifestRedirect[];
  /** As in the config. Absent when there are none. */
  rewrites?: ManifestRewrite[];
}

/**
 * Lists the pages, the API routes, the middleware, the jobs, the redirects and the rewrites of an app, whether or not
 * its config exports them. Writes nothing.
 *
 * @throws ExportError with every problem of these files and of the config.
 */
export async function listRoutes(options: {
  /** The folder of the app: absolute, or relative to the working directory. */
  projectRoot: string;
}): Promise<RouteList> {
  const app = await loadApp(options.projectRoot);
  const bundled = await bundleApp(app, { minify: true });
  const site = scanPages(app.pages, { routesFolder: toProjectPath(app.projectRoot, app.routesFolder ?? '') });
  const problems = [...app.problems, ...site.problems, ...bundled.problems];
  if (problems.length > 0) throw new ExportError(problems);

  const { routes, middleware } = bundled;
  const jobs = bundled.jobs
    .map(({ job: name, file, bytes }) => ({ name, file, bytes }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const { redirects, rewrites } = app.config;
  const pages = site.pages
    .map(({ pattern, file }) => ({ pattern, file }))
    .toSorted((a, b) => (a.pattern < b.pattern ? -1 : 1));
  return {
    ...(pages.length > 0 ? { pages } : {}),
    routes: routes.map(({ pattern, methods, file, bytes }) => ({ pattern, methods, file, bytes })),
    ...(middleware.length > 0
      ? { middleware: middleware.map(({ role, pattern, file, bytes }) => ({ role, pattern, file, bytes })) }
      : {}),
    ...(jobs.length > 0 ? { jobs } : {}),
    ...(redirects ? { redirects } : {}),
    ...(rewrites ? { rewrites } : {}),
  };
}
