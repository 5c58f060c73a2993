import type { WebOutput } from '../config/app-config.ts';
import { hasRootNotFound } from '../pages/has-not-found.ts';
import type { DividedPages, SitePages } from './divide-pages.ts';
import type { PageExports } from './page-exports.ts';
import type { SiteFiles } from './scan-pages.ts';
import { writeSiteModule } from './site-module.ts';
import type { SiteModuleOptions } from './site-module.ts';

/** The modules that list the pages of an export. */
export interface PageLists {
  /** All of them, for the client. */
  site: string;
  /** Those that the server renders on request. Absent when there are none. */
  onRequest?: string;
  /**
   * The pages that the export renders. Absent when it renders nothing, not even the default not-found page, and {@link
   * PageLists.onRequest} exists: a bundle needs an entry.
   */
  prerendered?: string;
}

/** Writes the lists. */
export function writePageLists(
  site: SiteFiles,
  { prerendered, onRequest }: DividedPages,
  {
    output,
    exports,
    ...options
  }: Pick<SiteModuleOptions, 'projectRoot' | 'base' | 'documents' | 'rules' | 'trailingSlash'> & {
    output: WebOutput;
    exports: PageExports;
  },
): PageLists {
  const isSinglePage = output === 'single';
  const data = output === 'server' ? 'server' : 'files';
  const write = (pages: SitePages): string =>
    writeSiteModule(
      { ...site, ...pages },
      { ...options, loaders: exports.loaders, actions: exports.actions, data, isSinglePage },
    );
  const isEmpty = ({ pages, notFound }: SitePages): boolean => pages.length + notFound.length === 0;
  return {
    site: write(site),
    ...(isEmpty(onRequest) ? {} : { onRequest: write(onRequest) }),
    // An app may have a layout but no page yet.
    ...(isEmpty(prerendered) && !isEmpty(onRequest) && hasRootNotFound(site.notFound)
      ? {}
      : { prerendered: write(prerendered) }),
  };
}
