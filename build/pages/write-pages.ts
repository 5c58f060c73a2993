import { createHash } from 'node:crypto';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { toFileKey } from '../app/file-key.ts';
import { toSlashes } from '../app/project-path.ts';
import type { SourcedPage } from '../app/middleware.ts';

import type { TrailingSlash, WebOutput } from '../config/app-config.ts';
import { ExportError } from '../problem.ts';
import { runBounded } from '../output/run-bounded.ts';
import { writeFileIn } from '../output/write-file.ts';
import type { SitePages } from '../site/divide-pages.ts';
import type { PageAssets } from '../site/page-assets.ts';
import type { PageExports } from '../site/page-exports.ts';
import { isAnsweredByOther } from './answering-page.ts';
import { writeDefaultNotFound } from './default-not-found.ts';
import { hasNotFound, hasRootNotFound } from './has-not-found.ts';
import { fillPattern, listParams, toUrlPath } from './page-params.ts';
import type { Prerendered, Prerenderer, RenderTarget } from './prerender.ts';
import type { PageFile } from '../site/scan-pages.ts';
import { RENDER, RENDER_FOLDER } from './write-renderer.ts';

/** What the server build says about the pages. */
export type SiteManifest = { pages: SourcedPage[]; notFound: SourcedPage[] };

/** What is known while pages are written. */
export interface PageWriting {
  output: WebOutput;
  /** The path that the app is below. Absent at the root of its host. */
  base: string | undefined;
  trailingSlash: TrailingSlash | undefined;
  /** The folder of the export, which contains `client` and `server`. */
  folder: string;
  /** The folder whose files have URLs below the base. */
  clientFolder: string;
  /** What is known about the pages. */
  exports: PageExports;
  signal: AbortSignal;
  /** The client files that a page needs. */
  assetsOf: (page: PageFile) => PageAssets;
  /** The client files of the shell, for a site that only the client renders. */
  shellAssets: PageAssets;
  /** The pages that the export renders. */
  prerendered: ReadonlySet<PageFile>;
  /** The pages. */
  pages: readonly PageFile[];
  /** The `+not-found` pages. */
  notFound: readonly PageFile[];
  /** The written files of pages, by {@link toFileKey}, each with its name and what it contains. */
  names: Map<string, { name: string; content: string }>;
  /** Client files written without the bundler, relative to the client's folder. */
  documents: string[];
  prerenderer: Prerenderer;
}

/** Keeps the rendering thread busy while this thread does something else. */
const PAGES_AT_ONCE = 16;

/**
 * Writes the pages of a site: HTML for those rendered now, and the code that renders the others on request.
 *
 * @throws ExportError with what is wrong with a page.
 */
export async function writePages(site: SitePages, writing: PageWriting): Promise<SiteManifest> {
  const { output, prerenderer, shellAssets, signal } = writing;
  if (output === 'single') {
    const html = await prerenderer.run<string>({ kind: 'shell', assets: shellAssets });
    writeDocument('index.html', html, writing);
    return { pages: [], notFound: [] };
  }
  const written: SiteManifest = { pages: [], notFound: [] };
  if (output === 'static') {
    for (const { pattern } of [{ pattern: '/' }, ...site.notFound]) {
      const name = toNotFoundFile(pattern);
      writing.names.set(toFileKey(name), { name, content: 'the document for a path without a page' });
    }
  }
  // Pages are rendered one after another; files are written in the meantime.
  const write = async (page: PageFile): Promise<SourcedPage> => {
    signal.throwIfAborted();
    return writePage(page, writing);
  };
  written.pages.push(...(await runBounded(site.pages, write, { limit: PAGES_AT_ONCE })));
  for (const page of site.notFound) written.notFound.push(await writeNotFound(page, writing));
  if (site.pages.length > 0 && !hasRootNotFound(site.notFound)) {
    const html = await prerenderer.run<string>({ kind: 'not-found' });
    if (output === 'static') writeStaticNotFound(html, writing);
    else written.notFound.push(writeDefaultNotFound(html, writing));
  }
  return written;
}

/** Writes a page: HTML if it is rendered now, and the code that renders the rest on request. */
async function writePage(page: PageFile, writing: PageWriting): Promise<SourcedPage> {
  const { output, exports, prerenderer, pages, notFound } = writing;
  const { pattern, file: source } = page;
  const target = { pattern, assets: findAssets(page, writing), hasNotFound: hasNotFound(page, notFound) };
  const hasAction = exports.actions.has(page.file);
  const acting = hasAction ? { hasAction } : {};
  if (!writing.prerendered.has(page))
    return { pattern, source, file: writeRenderModule(target, { writing, hasAction }), ...acting };
  const isListed = exports.withStaticParams.has(page.file);
  const listed = isListed
    ? listParams(page, { given: await explain(page, prerenderer.run<unknown>({ kind: 'params', pattern })), output })
    : [{}];
  const prerendered: Record<string, string> = {};
  for (const params of listed) {
    if (isAnsweredByOther(page, params, pages)) continue;
    const pathname = toUrlPath(pattern, params);
    const content = await render(page, { target, pathname, params }, writing);
    if (output === 'server')
      prerendered[fillPattern(pattern, params)] = writePrerendered(content, {
        stem: toStem(toText(pathname)),
        writing,
      });
    else writeStatic(content, { page, pathname, writing });
  }
  if (output !== 'server') return { pattern, file: '' };
  const only = pattern.includes('[') || hasAction ? undefined : prerendered[pattern];
  if (only !== undefined) return { pattern, source, file: only };
  return { pattern, source, file: writeRenderModule(target, { writing, hasAction }), prerendered, ...acting };
}

async function writeNotFound(page: PageFile, writing: PageWriting): Promise<SourcedPage> {
  const { output, notFound } = writing;
  const { pattern, file: source } = page;
  const assets = findAssets(page, writing);
  const target = { pattern, isNotFound: true, assets, hasNotFound: hasNotFound(page, notFound) };
  if (!writing.prerendered.has(page)) return { pattern, source, file: writeRenderModule(target, { writing }) };
  const content = await render(page, { target, pathname: toUrlPath(pattern, {}), params: {} }, writing);
  if (output === 'server') {
    return { pattern, source, file: writePrerendered(content, { stem: `${toStem(pattern)}+not-found`, writing }) };
  }
  if (pattern === '/') writeStaticNotFound(content.html, writing);
  else writeDocument(toNotFoundFile(pattern), content.html, writing);
  return { pattern, file: '' };
}

/** The client files that a page needs: only the style sheets for a page without JavaScript. */
function findAssets(page: PageFile, { assetsOf, exports }: PageWriting): PageAssets {
  const assets = assetsOf(page);
  return exports.withoutClient.has(page.file) ? { entry: '', modules: [], styles: assets.styles } : assets;
}

async function render(
  page: PageFile,
  { target, pathname, params }: { target: RenderTarget; pathname: string; params: Record<string, string> },
  { base = '', folder, prerenderer }: PageWriting,
): Promise<Prerendered> {
  const { href: url } = new URL(base + pathname, 'http://localhost');
  const content = await explain(page, prerenderer.run<Prerendered>({ kind: 'page', target, url, params }));
  return checkPaths(page, { folder, content });
}

async function explain<T>(page: PageFile, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof ExportError) throw error;
    const text = error instanceof Error ? error.message : String(error);
    // Node lists files of the unfinished export after it.
    const reason = text.replace(/\nRequire stack:\n[^]*$/, '');
    const ofBun = /Cannot find module '(bun(?::[^']+)?)'/.exec(reason)?.[1];
    throw new ExportError([
      {
        file: page.file,
        message: `It could not be rendered: ${reason}`,
        fix: ofBun
          ? `The export renders pages in Node: import ${ofBun}, or your file that does, by await import() in the action.`
          : 'Correct the page, its layouts or its loader.',
      },
    ]);
  }
}

/** Refuses a page that shows where it was rendered: on the server, `import.meta.url` is the path of a file. */
function checkPaths(page: PageFile, { folder, content }: { folder: string; content: Prerendered }): Prerendered {
  const text = `${content.html}${content.data ?? ''}`;
  const places = new Set([folder, pathToFileURL(folder).pathname]);
  for (const place of places) {
    const start = text.indexOf(place);
    if (start === -1) continue;
    const [name = ''] = /^[^"'`<>&\s\\)]*/.exec(text.slice(start + place.length)) ?? [];
    const message = `Its HTML contains a path of the machine that renders it: …${name}. That is what new URL(…, import.meta.url) gives on the server.`;
    const fix = "Import the file instead, which has the same URL everywhere: import url from './picture.png'.";
    throw new ExportError([{ file: page.file, message, fix }]);
  }
  return content;
}

/** Writes the module that renders a page on request. */
function writeRenderModule(
  target: RenderTarget,
  { writing, hasAction = false }: { writing: PageWriting; hasAction?: boolean },
): string {
  const output = toFreeName(`${toStem(target.pattern)}${target.isNotFound ? '+not-found' : ''}`, '.js', writing);
  const renderer = path.posix.relative(path.posix.dirname(output), `${RENDER_FOLDER}/${RENDER}.js`);
  const code = `'use strict';

const { render } = require(${JSON.stringify(renderer)});
const target = ${JSON.stringify(target)};
exports.GET = (request, params) => render(target, request, params);
${hasAction ? 'exports.POST = exports.GET;\n' : ''}`;
  writeFileIn(path.join(writing.folder, 'server'), output, code);
  return output;
}

/** Writes a finished HTML page into a module, which every host can load. */
function writePrerendered(
  { html, data }: Prerendered,
  { stem, writing }: { stem: string; writing: PageWriting },
): string {
  const { folder, clientFolder, documents } = writing;
  const output = toFreeName(stem, '.html.js', writing);
  // A weak ETag: an adapter that compresses the page sends other bytes.
  const etag = `W/"${createHash('sha256').update(html).digest('hex').slice(0, 32)}"`;
  const prerendered = { html, etag, ...(data === undefined ? {} : { data }) };
  const code = `'use strict';\n\nexports.prerendered = ${JSON.stringify(prerendered)};\n`;
  writeFileIn(path.join(folder, 'server'), output, code);
  documents.push(toSlashes(path.relative(clientFolder, path.join(folder, 'server', output))));
  return output;
}

/** The name of a module in the server build. Two pages may want the same, such as `/` and `/index`. */
function toFreeName(stem: string, ending: string, { names }: PageWriting): string {
  for (let count = 1; ; count++) {
    const name = `_appkit/pages/${stem}${count === 1 ? '' : `-${count}`}${ending}`;
    const key = toFileKey(name);
    if (names.has(key)) continue;
    names.set(key, { name, content: stem });
    return name;
  }
}

function writeStatic(
  { html, data }: Prerendered,
  { page, pathname, writing }: { page: PageFile; pathname: string; writing: PageWriting },
): void {
  const name = toStem(toText(pathname));
  // File hosts redirect a path to the ending that its file has.
  const isFolder = writing.trailingSlash === 'always' && name !== 'index';
  const file = `${name}${isFolder ? '/index' : ''}.html`;
  const key = toFileKey(file);
  const own = { name: file, content: `that of ${pathname}` };
  const other = writing.names.get(key) ?? own;
  // A path may be listed twice.
  if (other.content !== own.content) {
    const message =
      other.name === file
        ? `The file of ${pathname} is ${file}, which is also ${other.content}.`
        : `The file of ${pathname} is ${file}, and ${other.name} is ${other.content}: disks and hosts may ignore the difference.`;
    throw new ExportError([{ file: page.file, message, fix: 'Give one of them another path.' }]);
  }
  writing.names.set(key, own);
  writeDocument(file, html, writing);
  if (data !== undefined) writeDocument(`_appkit/data/${name}.json`, data, writing);
}

/** Hosts look for it in the folder that they serve, which with a base may be the base's folder or the one around it. */
function writeStaticNotFound(html: string, writing: PageWriting): void {
  writeDocument('404.html', html, writing);
  if (writing.base !== undefined) writeFileIn(path.join(writing.folder, 'client'), '404.html', html);
}

function toNotFoundFile(pattern: string): string {
  return pattern === '/' ? '404.html' : `${pattern.slice(1)}/404.html`;
}

/** Writes a client file that the bundler does not know about. */
function writeDocument(name: string, text: string, { clientFolder, documents }: PageWriting): void {
  writeFileIn(clientFolder, name, text);
  documents.push(name);
}

/** A path as file names are written: decoded, except for a slash within a segment. */
function toText(pathname: string): string {
  return pathname
    .split('/')
    .map((segment) => decodeURIComponent(segment).replaceAll('/', '%2F'))
    .join('/');
}

/** The file name for a path: `index` for `/`. */
function toStem(pathname: string): string {
  return pathname === '/' ? 'index' : pathname.slice(1);
}
