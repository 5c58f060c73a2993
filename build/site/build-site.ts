import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import type { ManifestPage } from 'appkit-server/manifest';

import type { WebOutput } from '../app-config.ts';
import type { BundleCache } from '../cache/bundle-cache.ts';
import type { ExternalUse } from '../external-packages.ts';
import { ExportError, type Problem } from '../problem.ts';
import { runBounded } from '../run-bounded.ts';
import { writeFileIn } from '../write-file.ts';
import type { SourceMapMode } from '../write-server.ts';
import type { Asset } from './assets.ts';
import { bundleSite, type ClientModules } from './bundle-site.ts';
import { dividePages } from './divide-pages.ts';
import { findMissingForSite } from './load-vite.ts';
import { createAssetFinder, type PageAssets } from './page-assets.ts';
import { checkFrames, type PageExports, readPageExports } from './page-exports.ts';
import { writePageLists } from './page-lists.ts';
import { fillPattern, listParams } from './page-params.ts';
import { type Prerendered, type Prerenderer, startPrerenderer } from './prerender.ts';
import { type ClientProof, readAhead } from './prove-client.ts';
import type { PageFile, SiteFiles } from './scan-pages.ts';
import { toModuleId } from './vite-config.ts';
import { findExternals, PRERENDER, RENDER, RENDER_FOLDER, writeRenderer } from './write-renderer.ts';

/** What the build of a site depends on beside its files. */
export interface SiteOptions {
  projectRoot: string;
  output: WebOutput;
  /** The folder of the export, which holds `client` and `server`. */
  folder: string;
  minify: boolean;
  /** Write source maps of the client bundle. */
  clientSourceMaps: boolean;
  serverSourceMaps: SourceMapMode;
  external: readonly string[];
  /** Patterns of API routes that may answer in place of a page. */
  documents: readonly string[];
  /** Patterns of redirects and rewrites that may hold for a page. */
  rules: readonly string[];
  /** What {@link checkSite} has found. */
  exports: PageExports;
  /** Where the export goes. */
  outputDir: string;
  /** Bundles of former exports. */
  cache: BundleCache;
  /** The bundling of the routes, as {@link bundleSite} takes it. */
  routes: Promise<unknown>;
  signal: AbortSignal;
}

/** A site that has been written. */
export interface BuiltSite {
  /** What the server build says about the pages. */
  manifest: SiteManifest;
  /** Files that modules of the site import. */
  assets: Asset[];
  /** The modules that rendering on request needs beside it. */
  external: ExternalUse[];
  /** What is to be looked through for what must not be there. */
  proof: Pick<ClientProof, 'clientFiles'> & {
    clientModules: ClientModules;
    documents: string[];
    serverModules: string[];
  };
}

type SiteManifest = { pages: ManifestPage[]; notFound: ManifestPage[] };

/** What is known while pages are written. */
interface Writing {
  options: SiteOptions;
  assetsOf: (page: PageFile) => PageAssets;
  prerendered: ReadonlySet<PageFile>;
  /** What has been written for clients beside the bundle, relative to its folder. */
  documents: string[];
  prerenderer: Prerenderer;
}

/**
 * Builds the pages of an app: the client bundle, and HTML or what renders it.
 *
 * @throws ExportError with what is wrong with the pages.
 */
export async function buildSite(site: SiteFiles, options: SiteOptions): Promise<BuiltSite> {
  const { projectRoot, folder } = options;
  const missing = findMissingForSite(projectRoot);
  if (missing.length > 0) throw new ExportError(missing);
  const divided = dividePages(site, options);
  const lists = writePageLists(site, divided, options);
  const clientFolder = path.join(folder, 'client');
  const workFolder = path.join(folder, '.site');
  // Beside nothing that is kept, and with as many folders around it as in the server build.
  const renderFolder = path.join(workFolder, RENDER_FOLDER);
  // It takes a while to be ready.
  const prerenderer = startPrerenderer(path.join(renderFolder, `${PRERENDER}.js`));
  const close = (): Promise<void> => prerenderer.close();
  // A page may wait for something that never comes.
  options.signal.addEventListener('abort', close, { once: true });
  try {
    const bundles = await bundleSite(site, { ...options, lists, clientFolder, renderFolder });
    const { assets, clientFiles, clientModules, serverModules } = bundles;
    writeRenderer(bundles.renderChunks, { ...options, renderFolder });
    const findAssets = createAssetFinder(bundles.chunks);
    const documents: string[] = [];
    const writing: Writing = {
      options,
      documents,
      prerendered: new Set([...divided.prerendered.pages, ...divided.prerendered.notFound]),
      assetsOf: ({ file, layouts }) => findAssets([...layouts, file].map((source) => toModuleId(projectRoot, source))),
      prerenderer,
    };
    const writingPages = writePages(site, writing, { shellAssets: findAssets([]) });
    // Nobody waits for it when what is done meanwhile fails.
    writingPages.catch(() => undefined);
    // The thread is busy for a while.
    bundles.finish();
    void readAhead(serverModules, options);
    const manifest = await writingPages;
    return {
      manifest,
      assets,
      external: findExternals(bundles),
      proof: { clientFiles, clientModules, documents, serverModules },
    };
  } catch (error) {
    // What waited for the thread has been told that it ended, not why.
    options.signal.throwIfAborted();
    throw error;
  } finally {
    options.signal.removeEventListener('abort', close);
    await close();
    // Nobody renders with it once all is written.
    await rm(workFolder, { recursive: true, force: true });
  }
}

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

/** The thread that renders is to have work while this one is busy with something else. */
const PAGES_AT_ONCE = 16;

async function writePages(
  site: SiteFiles,
  writing: Writing,
  { shellAssets }: { shellAssets: PageAssets },
): Promise<SiteManifest> {
  const { options, prerenderer } = writing;
  if (options.output === 'single') {
    const html = await prerenderer.run<string>({ kind: 'shell', assets: shellAssets });
    writeDocument('index.html', html, writing);
    return { pages: [], notFound: [] };
  }
  const written: SiteManifest = { pages: [], notFound: [] };
  // Pages are rendered one after another; files are written meanwhile.
  const write = async (page: PageFile): Promise<ManifestPage> => {
    options.signal?.throwIfAborted();
    return writePage(page, writing);
  };
  written.pages.push(...(await runBounded(site.pages, write, { limit: PAGES_AT_ONCE })));
  for (const page of site.notFound) written.notFound.push(await writeNotFound(page, writing));
  return written;
}

/** Writes a page: HTML where that is rendered now, and what renders the rest on request. */
async function writePage(page: PageFile, writing: Writing): Promise<ManifestPage> {
  const { options, prerenderer } = writing;
  const { exports } = options;
  const isListed = exports.withStaticParams.has(page.file);
  const isServed = options.output === 'server';
  const hasParameters = page.pattern.includes('[');
  const assets = writing.assetsOf(page);
  const hasLoader = exports.loaders.has(page.file);
  const render = async (params: Record<string, string>, pathname: string): Promise<Prerendered> => {
    const target = { pattern: page.pattern, assets };
    const { href: url } = new URL(pathname, 'http://localhost');
    const job = { kind: 'page', target, url, params, hasLoader } as const;
    return checkPaths(page, { folder: options.folder, content: await explain(page, prerenderer.run(job)) });
  };
  if (!writing.prerendered.has(page)) {
    return { pattern: page.pattern, file: writeRenderModule(page, writing, { pattern: page.pattern, assets }) };
  }
  const listed = isListed
    ? listParams(page, await explain(page, prerenderer.run<unknown>({ kind: 'params', pattern: page.pattern })))
    : [{}];
  const prerendered: Record<string, string> = {};
  for (const params of listed) {
    const pathname = fillPattern(page.pattern, params);
    const content = await render(params, pathname);
    if (isServed) prerendered[pathname] = writePrerendered(content, { stem: toStem(toText(pathname)), writing });
    else writeStatic(content, { pathname, writing });
  }
  if (!isServed) return { pattern: page.pattern, file: '' };
  const only = prerendered[page.pattern];
  if (!hasParameters && only !== undefined) return { pattern: page.pattern, file: only };
  const file = writeRenderModule(page, writing, { pattern: page.pattern, assets });
  return { pattern: page.pattern, file, prerendered };
}

async function writeNotFound(page: PageFile, writing: Writing): Promise<ManifestPage> {
  const { options, prerenderer } = writing;
  const { pattern } = page;
  const target = { pattern, isNotFound: true, assets: writing.assetsOf(page) };
  if (!writing.prerendered.has(page)) {
    return { pattern, file: writeRenderModule(page, writing, target) };
  }
  const job = {
    kind: 'page',
    target,
    url: new URL(pattern, 'http://localhost').href,
    params: {},
    hasLoader: false,
  } as const;
  const content = checkPaths(page, { folder: options.folder, content: await explain(page, prerenderer.run(job)) });
  if (options.output === 'server') {
    const stem = `${toStem(pattern)}+not-found`;
    return { pattern, file: writePrerendered(content, { stem, writing }) };
  }
  const name = pattern === '/' ? '404.html' : `${pattern.slice(1)}/404.html`;
  writeDocument(name, content.html, writing);
  return { pattern, file: '' };
}

async function explain<T>(page: PageFile, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ExportError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new ExportError([
      {
        file: page.file,
        message: `It could not be rendered: ${reason}`,
        fix: 'Correct the page, its layouts or its loader.',
      },
    ]);
  }
}

/** Refuses a page that shows where it was rendered: on the server `import.meta.url` is the place of a file. */
function checkPaths(page: PageFile, { folder, content }: { folder: string; content: Prerendered }): Prerendered {
  const text = `${content.html}${content.data ?? ''}`;
  const places = new Set([folder, pathToFileURL(folder).pathname]);
  for (const place of places) {
    const start = text.indexOf(place);
    if (start === -1) continue;
    const [name = ''] = /^[^"'`<>&\s\\)]*/.exec(text.slice(start + place.length)) ?? [];
    const message = `Its HTML has a path of the machine that renders it: …${name}. That is what new URL(…, import.meta.url) gives on the server.`;
    const fix = "Import the file instead, which gives the same URL everywhere: import url from './picture.png'.";
    throw new ExportError([{ file: page.file, message, fix }]);
  }
  return content;
}

/** Writes the module that renders a page on request. */
function writeRenderModule(
  page: PageFile,
  { options }: Writing,
  target: { pattern: string; isNotFound?: boolean; assets: PageAssets },
): string {
  const output = `_appkit/pages/${toStem(page.pattern)}${target.isNotFound ? '+not-found' : ''}.js`;
  const bundle = path.posix.relative(path.posix.dirname(output), `${RENDER_FOLDER}/${RENDER}.js`);
  const code = `'use strict';

const { render } = require(${JSON.stringify(bundle.startsWith('.') ? bundle : `./${bundle}`)});
const target = ${JSON.stringify(target)};
exports.GET = (request, params) => render(target, request, params);
`;
  writeFileIn(path.join(options.folder, 'server'), output, code);
  return output;
}

/** Writes a page that is there as HTML into a module, which every host can load. */
function writePrerendered({ html, data }: Prerendered, { stem, writing }: { stem: string; writing: Writing }): string {
  const output = `_appkit/pages/${stem}.html.js`;
  const etag = `"${createHash('sha256').update(html).digest('hex').slice(0, 32)}"`;
  const prerendered = { html, etag, ...(data === undefined ? {} : { data }) };
  const code = `'use strict';\n\nexports.prerendered = ${JSON.stringify(prerendered)};\n`;
  writeFileIn(path.join(writing.options.folder, 'server'), output, code);
  writing.documents.push(`../server/${output}`);
  return output;
}

function writeStatic({ html, data }: Prerendered, { pathname, writing }: { pathname: string; writing: Writing }): void {
  const name = toStem(toText(pathname));
  writeDocument(`${name}.html`, html, writing);
  if (data !== undefined) writeDocument(`_appkit/data/${name}.json`, data, writing);
}

/** Writes a file of the client that the bundler knows nothing of. */
function writeDocument(name: string, text: string, { options, documents }: Writing): void {
  writeFileIn(path.join(options.folder, 'client'), name, text);
  documents.push(name);
}

/** A path as the names of files are written: decoded, but for a slash within a segment. */
function toText(pathname: string): string {
  return pathname
    .split('/')
    .map((segment) => decodeURIComponent(segment).replaceAll('/', '%2F'))
    .join('/');
}

/** The name of a file for a path: `index` for `/`. */
function toStem(pathname: string): string {
  return pathname === '/' ? 'index' : pathname.slice(1);
}
