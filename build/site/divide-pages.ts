import type { WebOutput } from '../config/app-config.ts';
import type { PageExports } from './page-exports.ts';
import type { PageFile, SiteFiles } from './scan-pages.ts';

/** Some pages of a site. */
export type SitePages = Pick<SiteFiles, 'pages' | 'notFound'>;

/**
 * When the pages of a site are rendered. A page can be in both lists: it lists some of its parameters and others may be
 * requested, or it has an action.
 */
export interface DividedPages {
  /** By the export. */
  prerendered: SitePages;
  /** By the server, for each request. */
  onRequest: SitePages;
}

/**
 * Decides which pages an export renders, and which it leaves to the server: those that depend on more than the path, or
 * whose loader runs for each request.
 */
export function dividePages(
  { pages, notFound }: SitePages,
  { output, exports: { loaders, actions, withStaticParams } }: { output: WebOutput; exports: PageExports },
): DividedPages {
  const isOpen = ({ file, pattern, layouts }: PageFile): boolean =>
    pattern.includes('[') || [...layouts, file].some((one) => loaders.has(one));
  const isListed = ({ file }: PageFile): boolean => withStaticParams.has(file);
  // A single-page site only renders the document. Its pages are still bundled with it: the client is searched for what
  // they read on the server, as in other sites.
  if (output !== 'server') return { prerendered: { pages, notFound }, onRequest: { pages: [], notFound: [] } };
  return {
    prerendered: {
      pages: pages.filter((page) => isListed(page) || !isOpen(page)),
      notFound: notFound.filter((page) => !isOpen(page)),
    },
    onRequest: {
      pages: pages.filter((page) => isListed(page) || isOpen(page) || actions.has(page.file)),
      notFound: notFound.filter(isOpen),
    },
  };
}
