import path from 'node:path';

import type { TrailingSlash } from '../config/app-config.ts';

import { MODULES } from './modules-plugin.ts';
import type { PageFile, SiteFiles } from './scan-pages.ts';

/** The contents of a site's module besides its files. */
export interface SiteModuleOptions {
  projectRoot: string;
  /** Patterns of API routes that may answer in place of a page. */
  documents: readonly string[];
  /** Patterns of redirects and rewrites that may apply to a page. */
  rules: readonly string[];
  /** The pages and layouts that export a loader, relative to the project. */
  loaders: ReadonlySet<string>;
  /** The pages that export an action, relative to the project. */
  actions: ReadonlySet<string>;
  data: 'server' | 'files';
  isSinglePage: boolean;
  /** The path that the app is below. Absent at the root of its host. */
  base: string | undefined;
  /** How page paths end. Absent when both forms are answered. */
  trailingSlash: TrailingSlash | undefined;
}

/**
 * Writes the module that lists the pages of a site for `appkit-router`: one literal `import()` per file, from which the
 * bundler makes a chunk.
 */
export function writeSiteModule(
  { pages, notFound, html }: Omit<SiteFiles, 'problems'>,
  { projectRoot, base, documents, rules, loaders, actions, data, isSinglePage, trailingSlash }: SiteModuleOptions,
): string {
  const toImport = (file: string): string => JSON.stringify(path.posix.join(projectRoot, file));
  const layouts = [...new Set([...pages, ...notFound].flatMap((page) => page.layouts))];
  const writeLayout = (file: string, index: number): string => {
    const params = [...new Set(toFolderParams(file))];
    return `const layout${index} = { load: () => import(${toImport(file)}), hasLoader: ${loaders.has(file)}, params: ${JSON.stringify(params)} };\n`;
  };
  const writePage = (page: PageFile): string => {
    const around = page.layouts.map((file) => `layout${layouts.indexOf(file)}`).join(', ');
    const load = `() => import(${toImport(page.file)})`;
    return `    { pattern: ${JSON.stringify(page.pattern)}, load: ${load}, layouts: [${around}], hasLoader: ${loaders.has(page.file)}, hasAction: ${actions.has(page.file)} },\n`;
  };
  return `${html === undefined ? `import { DefaultHtml as Html } from 'appkit-router/html';` : `import Html from ${toImport(html)};`}
${layouts.map(writeLayout).join('')}
export default {
  pages: [
${pages.map(writePage).join('')}  ],
  notFound: [
${notFound.map(writePage).join('')}  ],
  documents: ${JSON.stringify(documents)},
  rules: ${JSON.stringify(rules)},
  Html,
  data: ${JSON.stringify(data)},
  isSinglePage: ${isSinglePage},
  trailingSlash: ${JSON.stringify(trailingSlash)},
  base: ${JSON.stringify(base)},
};
`;
}

/** The names of the parameters in the folders of a file: `app/[lang]/[...path]/_layout.tsx`. */
function toFolderParams(file: string): string[] {
  return [...path.posix.dirname(file).matchAll(/\[(?:\.\.\.)?([^\]]+)\]/g)].map(([, name = '']) => name);
}

const CLIENT_IMPORTS = `import { hydrate } from 'appkit-router/client';
import site from '${MODULES.site}';
`;

/** The entry of the client bundle. */
export const CLIENT_ENTRY: string = `${CLIENT_IMPORTS}hydrate(site);
`;

/** The messages between a development server and the client. */
export const DEV_EVENTS: {
  /** Something that loaders use has changed. */
  data: string;
  /**
   * The number of changes to loaders or the list of pages that the page in the browser was rendered after; it is told
   * about later ones.
   */
  rendered: string;
  /** A component has thrown in the browser. */
  error: string;
  /** An error with this mark comes from a loader or from rendering: new data may resolve it. */
  mark: string;
} = { data: 'appkit:data', rendered: 'appkit:rendered', error: 'appkit:error', mark: 'appkit' };

/** The client's entry in development: it reports errors, and requests new data when a loader changes. */
export function toDevEntry({ withRefresh }: { withRefresh: boolean }): string {
  // React Refresh has to be set up before React loads.
  return `${withRefresh ? "import '@vitejs/plugin-react/preamble';\n" : ''}import { router } from 'appkit-router';
${CLIENT_IMPORTS}
let isShown = false;
void hydrate(site, {
  onError(error) {
    console.error(error);
    const { name = 'Thrown', message = String(error), stack = '' } = Object(error);
    import.meta.hot.send('${DEV_EVENTS.error}', { name, message, stack });
  },
}).then(() => (isShown = true));
let isServerError = false;
import.meta.hot.on('vite:error', ({ err }) => {
  isServerError = err.plugin === '${DEV_EVENTS.mark}';
});
import.meta.hot.on('${DEV_EVENTS.data}', () => {
  // What would come to life is no longer what the server renders.
  if (!isShown) return location.reload();
  if (isServerError) document.querySelector('vite-error-overlay')?.remove();
  router.refresh();
});
import.meta.hot.send('${DEV_EVENTS.rendered}', document.querySelector('meta[name="${DEV_EVENTS.rendered}"]')?.content);
`;
}

/**
 * In development, loads a page without a client again. Vite's client alone would wait for modules to replace, and the
 * page has none.
 */
export const RELOAD_ENTRY: string = `const load = () => location.reload();
import.meta.hot.on('vite:beforeUpdate', load);
import.meta.hot.on('${DEV_EVENTS.data}', load);
import.meta.hot.send('${DEV_EVENTS.rendered}', document.querySelector('meta[name="${DEV_EVENTS.rendered}"]')?.content);
`;

/** The entry that renders the pages that an export leaves to the server. */
export const SERVER_ENTRY: string = `import { createRenderer } from 'appkit-router/server';
import site from '${MODULES.onRequest}';
export const render = createRenderer(site);
`;

/**
 * Writes the entry that renders pages at export time or in development.
 *
 * @param list – the name of the module that lists the pages.
 */
export function toPrerenderEntry(list: string): string {
  return `import { createRenderer, renderShell, toErrorDocument } from 'appkit-router/server';
import site from '${list}';
export const render = createRenderer(site);
export const shell = (assets) => renderShell(site, assets);
export const notFound = () => toErrorDocument({ status: 404, message: 'Not found' });
export const loadPage = (pattern) => site.pages.find((page) => page.pattern === pattern).load();
`;
}
