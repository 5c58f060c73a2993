import path from 'node:path';

import type { Problem } from '../problem.ts';
import { toPatternKey, toRoutePath } from '../app/route-path.ts';

/** A page of the routes folder. */
export interface PageFile {
  /** The source, relative to the project. */
  file: string;
  /** The URL path it answers, as a manifest pattern. For a `+not-found`, the path of its folder. */
  pattern: string;
  /** The `_layout` files around it, relative to the project, the outermost first. */
  layouts: string[];
}

/** The files of the routes folder that belong to the site. */
export interface SiteFiles {
  pages: PageFile[];
  notFound: PageFile[];
  /** The `+html` file, relative to the project. */
  html?: string;
  problems: Problem[];
}

const SOURCE = /\.(?:[cm]?[jt]s|[jt]sx)$/;

/** Sorts the files of the routes folder, except API routes, into pages, layouts and the files that belong to them. */
export function scanPages(files: readonly string[], { routesFolder }: { routesFolder: string }): SiteFiles {
  const found: SiteFiles = { pages: [], notFound: [], problems: [] };
  const stems = files.map((file) => ({ file, stem: path.posix.relative(routesFolder, file).replace(SOURCE, '') }));
  const layouts = new Map<string, string>();
  const report = (file: string, message: string, fix: string): void => void found.problems.push({ file, message, fix });
  for (const { file, stem } of stems) {
    if (path.posix.basename(stem) !== '_layout') continue;
    const folder = path.posix.dirname(stem);
    const other = layouts.get(folder);
    if (other !== undefined)
      report(file, `It is a second layout of its folder, next to ${other}.`, 'Keep one of them.');
    layouts.set(folder, file);
  }
  const layoutsOf = (folder: string): string[] => {
    const around: string[] = [];
    for (let next = folder; ; next = path.posix.dirname(next)) {
      const layout = layouts.get(next);
      if (layout !== undefined) around.unshift(layout);
      if (next === '.') return around;
    }
  };
  for (const { file, stem } of stems) {
    const [folder, name] = [path.posix.dirname(stem), path.posix.basename(stem)];
    if (name === '_layout' || name === '+native-intent') continue;
    if (name === '+html') {
      if (folder === '.') found.html = file;
      else
        report(file, 'A +html file belongs at the top of the routes folder: there is one document.', 'Move it there.');
      continue;
    }
    const isNotFound = name === '+not-found';
    const route = toRoutePath(isNotFound ? `${folder === '.' ? '' : `${folder}/`}index` : stem);
    if ('message' in route) {
      found.problems.push({ file, ...route });
      continue;
    }
    (isNotFound ? found.notFound : found.pages).push({ file, pattern: route.pattern, layouts: layoutsOf(folder) });
  }
  for (const list of [found.pages, found.notFound]) found.problems.push(...findClashes(list));
  return found;
}

function findClashes(pages: readonly PageFile[]): Problem[] {
  const byKey = new Map<string, PageFile>();
  return pages.flatMap((page) => {
    const key = toPatternKey(page.pattern);
    const other = byKey.get(key);
    if (!other) {
      byKey.set(key, page);
      return [];
    }
    const message = `It is the page of ${page.pattern}, and so is ${other.file}.`;
    return [{ file: page.file, message, fix: 'Keep one of them, or move one to another path.' }];
  });
}
