import type { WebOutput } from '../config/app-config.ts';
import type { Problem } from '../problem.ts';
import { toPatternKey } from './route-path.ts';
import { checkSite } from '../site/check-site.ts';
import type { PageFile, SiteFiles } from '../site/scan-pages.ts';

/** The pages of an app, as a development server needs them. */
export interface DescribedSite {
  /** The effective `web.output`. */
  output: WebOutput;
  /** No two pages have the same paths. */
  pages: DescribedPage[];
  /** The `+not-found` pages. Each one's pattern is its folder. */
  notFound: DescribedPage[];
  /** The `+html` file, relative to the project. */
  html?: string;
}

/** A page. */
export interface DescribedPage extends PageFile {
  /** Whether the page and which of its layouts have a loader: a client has to request their data. */
  loaders: string[];
  /** Which files of it and its layouts cannot be parsed, so that what they export is not known. */
  unreadable: string[];
  /** It sends no JavaScript. */
  isWithoutClient: boolean;
  /** It answers POST too. */
  hasAction: boolean;
  /** Whether the page lists the values of its parameters. */
  hasStaticParams: boolean;
  /** Why it cannot be exported. */
  problems: Problem[];
}

/** Describes the pages of an app and finds the problems that do not belong to a single page. */
export function describeSite(
  { pages, notFound, html, problems }: SiteFiles,
  { projectRoot, output }: { projectRoot: string; output: WebOutput },
): { site: DescribedSite; problems: Problem[] } {
  const exports = checkSite(
    { pages, notFound, problems, ...(html === undefined ? {} : { html }) },
    { projectRoot, output },
  );
  const found = [...problems, ...exports.problems];
  const describe = (files: readonly PageFile[]): DescribedPage[] => {
    const byKey = new Map<string, DescribedPage>();
    for (const page of files) {
      const sources = [page.file, ...page.layouts, html];
      const own = found.filter(({ file }) => sources.includes(file));
      const first = byKey.get(toPatternKey(page.pattern));
      // When two pages have the same path, the second one's problem names both, and the path answers with it.
      if (first) first.problems.push(...own);
      else {
        byKey.set(toPatternKey(page.pattern), {
          ...page,
          loaders: [...page.layouts, page.file].filter((file) => exports.loaders.has(file)),
          unreadable: [...page.layouts, page.file].filter((file) => exports.unreadable.has(file)),
          isWithoutClient: exports.withoutClient.has(page.file),
          hasAction: exports.actions.has(page.file),
          hasStaticParams: exports.withStaticParams.has(page.file),
          problems: own,
        });
      }
    }
    return [...byKey.values()].toSorted((a, b) => (a.pattern < b.pattern ? -1 : 1));
  };
  const named = new Set([...pages, ...notFound].flatMap(({ file, layouts }) => [file, ...layouts, html]));
  return {
    site: { output, pages: describe(pages), notFound: describe(notFound), ...(html === undefined ? {} : { html }) },
    problems: found.filter(({ file }) => !named.has(file)),
  };
}
