import path from 'node:path';

import type { WebOutput } from '../config/app-config.ts';
import type { App } from './load-app.ts';
import { namesForServer } from '../config/plugin-options.ts';
import type { Problem } from '../problem.ts';
import { warnOfUnguarded } from './middleware.ts';
import { toProjectPath } from './project-path.ts';
import { scanPages } from '../site/scan-pages.ts';
import { findUnusual } from '../site/unusual-files.ts';
import type { SiteFiles } from '../site/scan-pages.ts';

/** What an app is exported as. */
export interface ExportPlan {
  output: WebOutput;
  server: boolean;
  /** Absent when the app has no pages, or the export leaves them out. */
  site?: SiteFiles;
  problems: Problem[];
  warnings: string[];
}

/** Decides what to export, and explains what is left out and why. */
export function planExport(app: App, { ssg }: { ssg: boolean }): ExportPlan {
  const files = [...app.routes, ...app.middleware, ...app.jobs].map(({ file }) => file);
  const output = app.config.output ?? (files.length > 0 ? 'server' : 'static');
  const server = app.config.apiRoutes ?? output === 'server';
  const problems: Problem[] = [];
  const warnings: string[] = [];
  if (!server && files.length > 0) {
    const wanted = 'Set web.output to "server", or apiRoutes of appkit-router to true';
    warnings.push(`Not exported: ${files.join(', ')}. ${wanted}, to export API routes, middleware and jobs.`);
    if (app.middleware.length > 0 && app.pages.length > 0) {
      warnings.push('Without middleware, anyone can read all pages: they are static files.');
    }
  }
  const unserved = server ? [] : namesForServer(app.config);
  if (unserved.length > 0) warnings.push(`Not exported: ${unserved.join(', ')}. Set web.output to "server" for them.`);
  if (!server && !ssg) {
    const message = 'Without the site (--no-ssg) there is nothing to export: the config asks for no server code.';
    problems.push({ file: app.config.file, message, fix: 'Set web.output to "server", or leave out --no-ssg.' });
  }
  const hasSite = ssg && app.pages.length > 0 && app.routesFolder !== undefined;
  if (!hasSite && server) warnings.push(...warnOfUnguarded(app.middleware, app.routes));
  if (!hasSite) return { output, server, problems: [...problems, ...findEmptiness(app, app.pages)], warnings };
  const site = scanPages(app.pages, { routesFolder: toProjectPath(app.projectRoot, app.routesFolder ?? '') });
  warnings.push(...findUnusual(site, app.projectRoot));
  if (server) warnings.push(...warnOfUnguarded(app.middleware, [...app.routes, ...site.pages]));
  const shown = [...site.pages, ...site.notFound];
  const isEmpty = shown.length === 0 && (files.length === 0 || !server);
  const frames = isEmpty ? refuseFrames(app, toProjectPath(app.projectRoot, app.routesFolder ?? '')) : [];
  const empty = frames.length + site.problems.length > 0 ? [] : findEmptiness(app, shown);
  return { output, server, site, problems: [...problems, ...site.problems, ...frames, ...empty], warnings };
}

/** An app without routes and pages usually has its files elsewhere, or named differently. */
function findEmptiness(app: App, pages: readonly unknown[]): Problem[] {
  const { routes, middleware, jobs, routesFolder, projectRoot, config } = app;
  const isEmpty =
    routes.length + pages.length + middleware.length + jobs.length === 0 && namesForServer(config).length === 0;
  // Another problem of the app may be the cause.
  if (!isEmpty || routesFolder === undefined || app.problems.length > 0) return [];
  const file = toProjectPath(projectRoot, routesFolder);
  const fix = `Create ${file}/hello+api.ts, which exports GET, or ${file}/index.tsx, which exports a component.`;
  return [{ file, message: 'It contains no routes and no pages.', fix }];
}

/** Files that wrap pages are never shown without a page. */
function refuseFrames({ pages }: App, routesFolder: string): Problem[] {
  const file = pages.find((source) => /^(?:_layout|\+html)\.\w+$/.test(path.posix.basename(source)));
  if (file === undefined) return [];
  const message = 'It wraps pages, but there is neither a page nor a route to export.';
  const fix = `Add a page, such as ${routesFolder}/index.tsx, or a route, such as ${routesFolder}/hello+api.ts.`;
  return [{ file, message, fix }];
}
