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
  /** What is bundled for them. */
  parts: (PagePart | ServerFile)[];
  /** The module of each page: its text by its path in the server build. */
  files: Map<string, string>;
}

const FOLDER = '_appkit/pages';
const HOST_PAGE = `${FOLDER}/host-page.js`;

/** Plans the modules of the pages. A page that is not one of the app's own files has no loader. */
export function toHostedPages(
  { pages, notFound, trailingSlash }: SourcedPages,
  { projectRoot, site }: { projectRoot: string; site: DescribedSite | undefined },
): HostedPages {
  const described = [...(site?.pages ?? []), ...(site?.notFound ?? [])];
  const parts = new Map<string, PagePart>();
  const files = new Map<string, string>();
  const toPart = (file: string): string => {
    const part = parts.get(file) ?? { file, output: `${FOLDER}/loaders/${parts.size}.js`, kept: ['loader', 'action'] };
    parts.set(file, part);
    return path.posix.relative(FOLDER, part.output);
  };
  const place = (page: SourcedPage): SourcedPage => {
    const own = described.find(({ file, pattern }) => file === page.source && pattern === page.pattern);
    const name = `${FOLDER}/${files.size}.js`;
    files.set(name, own ? writeHostPage(page, { own, site, toPart }) : writeForward(page));
    return { ...page, file: name };
  };
  const manifest = {
    ...(pages && { pages: pages.map(place) }),
    ...(notFound && { notFound: notFound.map(place) }),
    ...(trailingSlash && { trailingSlash }),
  };
  const isNeeded = [...files.values()].some((code) => code.includes(path.posix.basename(HOST_PAGE)));
  return { manifest, parts: [...parts.values(), ...(isNeeded ? [findHostPage(projectRoot)] : [])], files };
}

/** The module of a page whose loaders run in the host. */
function writeHostPage(
  { file, pattern }: SourcedPage,
  { own, site, toPart }: { own: DescribedPage; site: DescribedSite | undefined; toPart: (file: string) => string },
): string {
  // A page that cannot be exported is answered with the reason.
  const isRun = (source: string): boolean =>
    own.problems.length === 0 && (own.loaders.includes(source) || (source === own.file && own.hasAction));
  const parts = [...own.layouts, own.file].map((source) =>
    isRun(source) ? `() => require(${JSON.stringify(`./${toPart(source)}`)})` : '() => ({})',
  );
  const page = `file: ${JSON.stringify(file)}, pattern: ${JSON.stringify(pattern)}`;
  return `'use strict';
const { createHostPage } = require('./host-page.js');
exports.GET = createHostPage({ ${page}, hasNotFound: ${hasNotFound(pattern, site?.notFound ?? [])}, parts: [${parts.join(', ')}] });
exports.POST = exports.GET;
`;
}

/** The module of a page that the other process answers alone. */
function writeForward({ file }: SourcedPage): string {
  return `'use strict';
const file = ${JSON.stringify(file)};
exports.GET = (request, params) =>
  globalThis[Symbol.for('appkit.developmentPage')](request, { file, params });
exports.POST = exports.GET;
`;
}

/** The module of the app's appkit-router that runs loaders. */
function findHostPage(projectRoot: string): ServerFile {
  const found = createRequire(path.join(projectRoot, 'package.json')).resolve('appkit-router/host-page');
  return { file: toProjectPath(projectRoot, found), output: HOST_PAGE };
}
