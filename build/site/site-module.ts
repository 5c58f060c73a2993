import path from 'node:path';

import type { PageFile, SiteFiles } from './scan-pages.ts';

/** What the module of a site says beside its files. */
export interface SiteModuleOptions {
  projectRoot: string;
  /** Patterns of what is no page and may stand in front of one. */
  documents: readonly string[];
  /** The sources that export a loader, relative to the project. */
  loaders: ReadonlySet<string>;
  data: 'server' | 'files';
  isSinglePage: boolean;
}

/**
 * Writes the module that lists the pages of a site for `appkit-router`: one literal `import()` per file, which the bundler
 * makes a chunk of.
 */
export function writeSiteModule(
  { pages, notFound, html }: SiteFiles,
  { projectRoot, documents, loaders, data, isSinglePage }: SiteModuleOptions,
): string {
  const toImport = (file: string): string => JSON.stringify(path.posix.join(projectRoot, file));
  const layouts = [...new Set([...pages, ...notFound].flatMap((page) => page.layouts))];
  const writePage = (page: PageFile): string => {
    const around = page.layouts.map((file) => `layout${layouts.indexOf(file)}`).join(', ');
    const load = `() => import(${toImport(page.file)})`;
    return `    { pattern: ${JSON.stringify(page.pattern)}, load: ${load}, layouts: [${around}], hasLoader: ${loaders.has(page.file)} },\n`;
  };
  return `${html === undefined ? `import { DefaultHtml as Html } from 'appkit-router/html';` : `import Html from ${toImport(html)};`}
${layouts.map((file, index) => `const layout${index} = () => import(${toImport(file)});\n`).join('')}
export default {
  pages: [
${pages.map(writePage).join('')}  ],
  notFound: [
${notFound.map(writePage).join('')}  ],
  documents: ${JSON.stringify(documents)},
  Html,
  data: ${JSON.stringify(data)},
  isSinglePage: ${isSinglePage},
};
`;
}

/** The entry of the client bundle. */
export const CLIENT_ENTRY = `import { hydrate } from 'appkit-router/client';
import site from 'virtual:appkit/site';
hydrate(site);
`;

/** The entry of the bundle that renders pages on the server. */
export const SERVER_ENTRY = `import { createRenderer, renderShell } from 'appkit-router/server';
import site from 'virtual:appkit/site';
export const render = createRenderer(site);
export const shell = (assets) => renderShell(site, assets);
export const loadPage = (pattern) => site.pages.find((page) => page.pattern === pattern).load();
`;
