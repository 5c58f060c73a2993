import type { Plugin } from 'vite';

import type { AppDescription } from '../app/describe-app.ts';
import { createDecoratorsGuard } from '../bundle/plugins/decorators.ts';
import { createSitePlugins, toPageTest } from './client-plugins.ts';
import { findDocuments, findRules } from './documents.ts';
import { createModulesPlugin, MODULES, toResolvedId } from './modules-plugin.ts';
import { fillPattern, listParams } from '../pages/page-params.ts';
import type { GivenParams } from '../pages/page-params.ts';
import { createPackageScanPlugin } from './package-scan.ts';
import { DEV_EVENTS, RELOAD_ENTRY, toDevEntry, toPrerenderEntry, writeSiteModule } from './site-module.ts';
import { createViewPlugin, VIEW_ENVIRONMENT } from './view-plugin.ts';

/** What a development server needs to serve pages: the plugins of an export, for pages that come and go. */
export interface SiteDevelopment {
  plugins: Plugin[];
  /**
   * Follows changes of the app.
   *
   * @returns whether the module that lists its pages has changed.
   */
  update(app: AppDescription): boolean;
}

/** What a development server needs to know about a site's modules. */
export const SITE_MODULES: {
  /** Exports `render`, `shell`, `loadPage` and `readLoaded`. */
  server: string;
  /** The environment of Vite that evaluates nothing that only loaders and actions need. */
  viewEnvironment: string;
  /** The id of the list of pages in Vite. */
  siteId: string;
  /** The id of the client's entry. */
  clientId: string;
  /** The id of the module that loads a page without a client again. */
  reloadId: string;
  /** What the client gets through Vite. */
  events: typeof DEV_EVENTS;
} = {
  server: MODULES.prerender,
  viewEnvironment: VIEW_ENVIRONMENT,
  siteId: toResolvedId(MODULES.site),
  clientId: toResolvedId(MODULES.client),
  reloadId: toResolvedId(MODULES.reload),
  events: DEV_EVENTS,
};

/**
 * Makes the plugins.
 *
 * @param options – `withRefresh`: `@vitejs/plugin-react` is among the other plugins.
 */
export function createSiteDevelopment(projectRoot: string, { withRefresh }: { withRefresh: boolean }): SiteDevelopment {
  let isPage: (file: string) => boolean = () => false;
  let siteModule = '';
  let base: string | undefined;
  let loaders: ReadonlySet<string> = new Set();
  return {
    plugins: [
      createModulesPlugin({
        client: toDevEntry({ withRefresh }),
        reload: RELOAD_ENTRY,
        prerender: `${toPrerenderEntry(MODULES.site)}export { readLoaded } from 'appkit-router/loaded-text';\n`,
        site: () => siteModule,
      }),
      createViewPlugin({ projectRoot, isPage: (file) => isPage(file) }),
      ...createSitePlugins({
        projectRoot,
        toBase: () => base,
        isPage: (file) => isPage(file),
        // What fails a build is an error in development when the module is requested, or `describeApp` reports it.
        report: () => undefined,
        onAsset: () => undefined,
      }),
      createDecoratorsGuard(projectRoot) as Plugin,
      createDeletedPagePlugin((file) => isPage(file)),
      createPackageScanPlugin(projectRoot),
    ],
    update({ site = { output: 'static', pages: [], notFound: [] }, routes, config, hasServer }) {
      ({ base } = config);
      isPage = toPageTest(site, projectRoot);
      const before = siteModule;
      // A page that is being edited keeps its loader until it can be read again: otherwise its browser would lose its
      // state.
      const isKept = (file: string): boolean => loaders.has(file);
      const pages = [...site.pages, ...site.notFound];
      loaders = new Set(pages.flatMap((page) => [...page.loaders, ...page.unreadable.filter(isKept)]));
      const patterns = routes.map(({ pattern }) => pattern);
      siteModule = writeSiteModule(site, {
        projectRoot,
        documents: findDocuments(patterns, site.pages),
        rules: hasServer ? findRules(config, site.pages) : [],
        loaders,
        actions: new Set(site.pages.flatMap(({ file, hasAction }) => (hasAction ? [file] : []))),
        data: 'server',
        isSinglePage: site.output === 'single',
        trailingSlash: config.trailingSlash,
        base,
      });
      return siteModule !== before;
    },
  };
}

/**
 * Keeps Vite from sending an update for a page or a layout that was deleted: the browser would request a file that no
 * longer exists. It loads the document again once the list of pages is without it.
 */
function createDeletedPagePlugin(isPage: (file: string) => boolean): Plugin {
  return {
    name: 'appkit:deleted-page',
    applyToEnvironment: ({ config }) => config.consumer === 'client',
    hotUpdate: ({ type, file }) => (type === 'delete' && isPage(file) ? [] : undefined),
  };
}

/** Whether an export writes a page for these parameters, given the result of its `generateStaticParams`. */
export function isListed(
  page: { file: string; pattern: string },
  { params, ...rest }: { params: Record<string, string> } & GivenParams,
): boolean {
  const pathname = fillPattern(page.pattern, params);
  return listParams({ ...page, layouts: [] }, rest).some((listed) => fillPattern(page.pattern, listed) === pathname);
}
