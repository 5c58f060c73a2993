import type { WebOutput } from '../config/app-config.ts';
import type { BundleCache } from '../cache/bundle-cache.ts';
import type { Problem } from '../problem.ts';
import { checkFrames, readPageExports } from './page-exports.ts';
import type { PageExports } from './page-exports.ts';
import type { SiteFiles } from './scan-pages.ts';

/** Reads what pages export, and finds what cannot be, before any of it is built. */
export function checkSite(
  site: SiteFiles,
  { projectRoot, output, cache }: { projectRoot: string; output: WebOutput; cache?: BundleCache | undefined },
): PageExports {
  const exports = readPageExports([...site.pages, ...site.notFound], { projectRoot, cache });
  const layouts = [...site.pages, ...site.notFound].flatMap((page) => page.layouts);
  const frames = new Set(site.html === undefined ? layouts : [...layouts, site.html]);
  const ofFrames = checkFrames([...frames], { projectRoot, cache });
  return { ...exports, problems: [...exports.problems, ...ofFrames, ...findUnfit(site, { output, ...exports })] };
}

/** Finds pages that an output cannot have. */
function findUnfit(
  site: SiteFiles,
  { output, loaders, withStaticParams }: { output: WebOutput; loaders: Set<string>; withStaticParams: Set<string> },
): Problem[] {
  if (output === 'server') return [];
  const pages = site.pages.map((page) => ({ ...page, isNotFound: false }));
  const notFound = site.notFound.map((page) => ({ ...page, isNotFound: true }));
  return [...pages, ...notFound].flatMap(({ file, pattern, isNotFound }): Problem[] => {
    if (loaders.has(file) && (isNotFound || output === 'single')) {
      const message = `It has a loader, which runs on a server for each request, and with web.output "${output}" there is none.`;
      const others = isNotFound ? '"server"' : '"server" or "static"';
      return [{ file, message, fix: `Set web.output to ${others}, or fetch the data in the component.` }];
    }
    if (output === 'single' || !pattern.includes('[') || (withStaticParams.has(file) && !isNotFound)) return [];
    const message = `Its path ${pattern} has parameters, and it does not list what they can be.`;
    const own = isNotFound ? 'Move it to a folder without parameters' : 'Export generateStaticParams';
    return [{ file, message, fix: `${own}, or set web.output to "server" to render it on request.` }];
  });
}
