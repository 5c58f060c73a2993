import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { isNodeModules, listFiles } from '../output/list-files.ts';
import { findSecondMiddleware, placeMiddleware, sortMiddleware } from './middleware.ts';
import type { MiddlewareFile } from './middleware.ts';
import { findSharedNames, toJobName } from './job-name.ts';
import type { JobFile } from './job-name.ts';
import { explainMisnamed } from './misnamed.ts';
import type { Problem } from '../problem.ts';
import { toProjectPath } from './project-path.ts';
import { toPatternKey, toRoutePath } from './route-path.ts';

/** A source file that becomes a file of the server build. */
export interface ServerFile {
  /** The source, relative to the project. */
  file: string;
  /** The bundle, relative to `dist/server`. */
  output: string;
}

/** A `+api` file. */
export interface RouteFile extends ServerFile {
  /** The URL path it answers, in the grammar of the manifest. */
  pattern: string;
}

/** The contents of the routes folder. */
export interface RouteFiles {
  routes: RouteFile[];
  /** The outermost first. */
  middleware: MiddlewareFile[];
  jobs: JobFile[];
  /** Every other source file, relative to the project. */
  pages: string[];
  problems: Problem[];
  warnings: string[];
}

const SOURCE = /\.(?:[cm]?[jt]s|[jt]sx)$/;
/** Component sources in other languages. */
const NEEDS_PLUGIN = /\.(?:astro|mdx|svelte|vue)$/;
const DECLARATION = /\.d\.[cm]?ts$/;
const PLATFORM_AT_END = /^(.*\+(?:api|job|middleware|instrumentation))\.(android|ios|native|web)$/;
const PLATFORM_IN_NAME = /^(.*)\.(android|ios|native|web)(\+api)$/;
/** What begins a query for bundlers, and what separates folders. No file of Windows has either in its name. */
export const UNREADABLE: RegExp = /[?\\]/;
/** Files with a `+` that belong to pages. */
const PAGE_FILES = ['+html', '+not-found', '+native-intent'];

/** Sorts the files of the routes folder into routes, middleware and pages, and reports names that cannot work. */
export async function scanRoutes(folder: string, { projectRoot }: { projectRoot: string }): Promise<RouteFiles> {
  const found: RouteFiles = { routes: [], middleware: [], jobs: [], pages: [], problems: [], warnings: [] };
  const components: string[] = [];

  for (const name of await listFiles(folder, { except: isNodeModules })) {
    const file = toProjectPath(projectRoot, path.join(folder, name));
    if (NEEDS_PLUGIN.test(name)) components.push(file);
    if (!SOURCE.test(name) || DECLARATION.test(name)) continue;
    const stem = name.replace(SOURCE, '');
    const base = path.posix.basename(stem);
    const report = (message: string, fix: string): void => void found.problems.push({ file, message, fix });

    const [unreadable] = UNREADABLE.exec(file) ?? [];
    const [, before, , after = ''] = PLATFORM_AT_END.exec(base) ?? PLATFORM_IN_NAME.exec(base) ?? [];
    if (unreadable !== undefined) {
      report(`Bundlers cannot read a file with ${unreadable} in its path.`, 'Rename it, or its folder.');
    } else if (before !== undefined) {
      const plainName = before + after + path.posix.extname(name);
      report('Platform extensions do not work in route files.', `Rename it to ${plainName}.`);
    } else if (base === '+middleware' || base === '+instrumentation') {
      const placed = placeMiddleware({ file, output: toOutput(stem) }, { stem });
      if ('message' in placed) report(placed.message, placed.fix);
      else found.middleware.push(placed);
    } else if (base.startsWith('+') && !PAGE_FILES.includes(base)) {
      report(...explainPlus(base, path.posix.extname(name)));
    } else if (base.endsWith('+api')) {
      const route = toRoutePath(stem.slice(0, -'+api'.length));
      if ('message' in route) report(route.message, route.fix);
      else found.routes.push({ file, output: toOutput(stem), pattern: route.pattern });
    } else if (base.endsWith('+job')) {
      const named = toJobName(stem.slice(0, -'+job'.length));
      if ('message' in named) report(named.message, named.fix);
      else found.jobs.push({ file, output: toOutput(stem), job: named.name });
    } else {
      const misnamed = explainMisnamed(name);
      if (misnamed) report(misnamed.message, misnamed.fix);
      else found.pages.push(file);
    }
  }

  found.problems.push(
    ...findSharedPatterns(found.routes),
    ...findSecondMiddleware(found.middleware),
    ...findSharedNames(found.jobs),
  );
  found.middleware = sortMiddleware(found.middleware);
  found.warnings.push(...(await explainPlugins(components, { pages: found.pages, projectRoot })));
  return found;
}

/** Explains the component sources in other languages that no page names. */
async function explainPlugins(
  components: readonly string[],
  { pages, projectRoot }: { pages: readonly string[]; projectRoot: string },
): Promise<string[]> {
  if (components.length === 0) return [];
  const sources = await Promise.all(pages.map((page) => readFile(path.join(projectRoot, page), 'utf8')));
  // A path of its own, or a pattern: `./posts/first.mdx`, `*.mdx`, `*.{md,mdx}`.
  const isNamed = (file: string): boolean => {
    const name = path.basename(file).replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
    const extension = path.extname(file).slice(1);
    const names = new RegExp(`["'/]${name}["'?]|\\*\\.(?:\\{[^}]*)?\\b${extension}\\b`);
    return sources.some((source) => names.test(source));
  };
  return components.filter((file) => !isNamed(file)).map(explainPlugin);
}

function explainPlugin(file: string): string {
  const fix = 'Import it from one, with a plugin in vite.config.ts that compiles it to a component.';
  return `${file} is not exported: a page is a .tsx, .jsx, .ts or .js file. ${fix}`;
}

/** Composed accents, as in patterns: the file must also be found on a file system that keeps names unchanged. */
function toOutput(stem: string): string {
  return `_appkit/functions/${stem.normalize('NFC')}.js`;
}

function explainPlus(base: string, extension: string): [message: string, fix: string] {
  if (base.toLowerCase() === '+api') return ['The route has no name.', `Rename it to index+api${extension}.`];
  if (base.toLowerCase() === '+job')
    return ['The job has no name.', `Name it after what it does, such as mail+job${extension}.`];
  if (base.endsWith('+api')) {
    return [`A route cannot be named ${base}.`, `Remove the leading +, or name it [...path]+api${extension}.`];
  }
  return [
    `${base} is not a name with a meaning.`,
    'Name it +middleware, or end its name with +api to make it a route, or with +job to make it a job.',
  ];
}

function findSharedPatterns(routes: readonly RouteFile[]): Problem[] {
  const byKey = new Map<string, RouteFile[]>();
  for (const route of routes) {
    const key = toPatternKey(route.pattern);
    byKey.set(key, [...(byKey.get(key) ?? []), route]);
  }
  return [...byKey.values()].flatMap(([first, ...others]): Problem[] => {
    if (!first || others.length === 0) return [];
    const message = `It answers the same URL as ${others.map(({ file }) => file).join(' and ')}: ${first.pattern}.`;
    const fix = 'Keep one of them, or give them different paths. Groups and parameter names make no difference.';
    return [{ file: first.file, message, fix }];
  });
}
