import { createRequire } from 'node:module';
import path from 'node:path';

import type { DescribedPage, DescribedSite } from '../app/describe-site.ts';
import type { SourcedPage } from '../app/middleware.ts';
import { toProjectPath } from '../app/project-path.ts';
import type { ServerFile } from '../app/scan.ts';
import type { PagePart } from '../bundle/plugins/page-parts.ts';
import { hasNotFound } from '../pages/has-not-found.ts';
import type { SourcedPages } from './manifest.ts';

/** The pages in the server build of a host in development: it runs their loaders and actions, and does not render. */
export interface HostedPages {
  manifest: SourcedPages;
  /** The loaders and actions to bundle. */
  parts: PagePart[];
  /** The module of appkit-router that runs them. Absent without pages of the app. */
  hostPage: ServerFile | undefined;
  /** The module of each page: its text by its path in the server build. */
  files: Map<string, string>;
}

const FOLDER = '_appkit/pages';
const HOST_PAGE = `${FOLDER}/host-page.js`;

/**
 * Plans the modules of the pages. A page that is not one of the app's own files has no loader.
 *
 * @param options – without `inHost`, the process that renders a page also runs its loaders and its action.
 */
export function toHostedPages(
  { pages, notFound, trailingSlash }: SourcedPages,
  { projectRoot, site, inHost }: { projectRoot: string; site: DescribedSite | undefined; inHost: boolean },
): HostedPages {
  const described = [...(site?.pages ?? []), ...(site?.notFound ?? [])];
  const parts = new Map<string, PagePart>();
  const files = new Map<string, string>();
  let hostPage: ServerFile | undefined;
  const toPart = (file: string): string => {
    const part = parts.get(file) ?? { file, output: `${FOLDER}/loaders/${parts.size}.js`, kept: ['loader', 'action'] };
    parts.set(file, part);
    return path.posix.relative(FOLDER, part.output);
  };
  const place = (page: SourcedPage): SourcedPage => {
    const own = described.find(({ file, pattern }) => file === page.source && pattern === page.pattern);
    const name = `${FOLDER}/${files.size}.js`;
    if (own) hostPage ??= findHostPage(projectRoot);
    files.set(name, own ? writeHostPage(page, { own, site, toPart: inHost ? toPart : undefined }) : writeForward(page));
    return { ...page, file: name };
  };
  const manifest = {
    ...(pages && { pages: pages.map(place) }),
    ...(notFound && { notFound: notFound.map(place) }),
    ...(trailingSlash && { trailingSlash }),
  };
  return { manifest, parts: [...parts.values()], hostPage, files };
}

/** The module of one of the app's pages. */
function writeHostPage(
  { file, pattern }: SourcedPage,
  {
    own,
    site,
    toPart,
  }: { own: DescribedPage; site: DescribedSite | undefined; toPart: ((file: string) => string) | undefined },
): string {
  const sources = [...own.layouts, own.file];
  const isRun = (source: string): boolean => own.loaders.includes(source) || (source === own.file && own.hasAction);
  const toCode = (source: string): string =>
    toPart && isRun(source) ? `() => require(${JSON.stringify(`./${toPart(source)}`)})` : '() => ({})';
  const page = {
    file: JSON.stringify(file),
    pattern: JSON.stringify(pattern),
    hasNotFound: hasNotFound(own, site?.notFound ?? []),
    // A page that cannot be exported is answered with the reason.
    ...(toPart && own.problems.length === 0 && sources.some(isRun) && { parts: `[${sources.map(toCode).join(', ')}]` }),
  };
  const options = Object.entries(page).map(([name, code]) => `${name}: ${code}`);
  return `'use strict';
const { createHostPage } = require('./host-page.js');
exports.GET = createHostPage({ ${options.join(', ')} });
exports.POST = exports.GET;
`;
}

/** The module of a page that needs nothing of the app. */
function writeForward({ file }: SourcedPage): string {
  return `'use strict';
const file = ${JSON.stringify(file)};
exports.GET = (request, params) =>
  globalThis[Symbol.for('appkit.developmentPage')](request, { file, params, isWhole: true });
exports.POST = exports.GET;
`;
}

/** The module of the app's appkit-router that runs loaders. */
function findHostPage(projectRoot: string): ServerFile {
  const found = createRequire(path.join(projectRoot, 'package.json')).resolve('appkit-router/host-page');
  return { file: toProjectPath(projectRoot, found), output: HOST_PAGE };
}
