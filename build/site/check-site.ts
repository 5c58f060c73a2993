import type { WebOutput } from '../config/app-config.ts';
import type { BundleCache } from '../cache/bundle-cache.ts';
import type { Problem } from '../problem.ts';
import { readFrameExports, readPageExports } from './page-exports.ts';
import type { PageExports } from './page-exports.ts';
import type { SiteFiles } from './scan-pages.ts';

/** Reads the exports of pages, and finds impossible ones before anything is built. */
export function checkSite(
  site: SiteFiles,
  { projectRoot, output, cache }: { projectRoot: string; output: WebOutput; cache?: BundleCache | undefined },
): PageExports {
  const pages = [...site.pages, ...site.notFound];
  const layouts = [...new Set(pages.flatMap((page) => page.layouts))];
  const ofPages = readPageExports(pages, { projectRoot, cache });
  const ofFrames = readFrameExports({ layouts, html: site.html }, { projectRoot, cache });
  const exports = {
    loaders: new Set([...ofPages.loaders, ...ofFrames.loaders]),
    actions: ofPages.actions,
    withoutClient: ofPages.withoutClient,
    withStaticParams: ofPages.withStaticParams,
    unreadable: new Set([...ofPages.unreadable, ...ofFrames.unreadable]),
  };
  const problems = [...ofPages.problems, ...ofFrames.problems, ...findUnfit(site, { output, layouts, ...exports })];
  return { ...exports, problems };
}

/** Finds pages that an output does not support. */
function findUnfit(
  site: SiteFiles,
  {
    output,
    layouts,
    loaders,
    actions,
    withoutClient,
    withStaticParams,
  }: Omit<PageExports, 'problems' | 'unreadable'> & { output: WebOutput; layouts: readonly string[] },
): Problem[] {
  if (output === 'server') return [];
  const pages = site.pages.map((page) => ({ ...page, isNotFound: false }));
  const notFound = site.notFound.map((page) => ({ ...page, isNotFound: true }));
  const toProblem = (file: string, others: string): Problem => {
    const message = `It has a loader, which runs on a server for each request, and with web.output "${output}" there is none.`;
    return { file, message, fix: `Set web.output to ${others}, or fetch the data in the component.` };
  };
  const ofLayouts = output === 'single' ? layouts.filter((file) => loaders.has(file)) : [];
  const ofPages = [...pages, ...notFound].flatMap(({ file, pattern, isNotFound }): Problem[] => {
    if (actions.has(file)) {
      const message = `It has an action, which runs on a server, and with web.output "${output}" there is none.`;
      return [{ file, message, fix: 'Set web.output to "server", or send the form to another server.' }];
    }
    if (output === 'single' && withoutClient.has(file)) {
      const message = 'It sends no JavaScript, and with web.output "single" the client renders every page.';
      return [{ file, message, fix: 'Set web.output to "server" or "static", or remove hydrate.' }];
    }
    if (loaders.has(file) && (isNotFound || output === 'single')) {
      return [toProblem(file, isNotFound ? '"server"' : '"server" or "static"')];
    }
    if (output === 'single' || !pattern.includes('[') || (withStaticParams.has(file) && !isNotFound)) return [];
    const message = `Its path ${pattern} has parameters, and it does not list their values.`;
    const own = isNotFound ? 'Move it to a folder without parameters' : 'Export generateStaticParams';
    return [{ file, message, fix: `${own}, or set web.output to "server" to render it on request.` }];
  });
  return [...ofLayouts.map((file) => toProblem(file, '"server" or "static"')), ...ofPages];
}
