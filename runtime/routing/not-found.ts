import { admitsHtml } from '../http/accept.ts';
import type { HandlerContext } from '../request/handler-context.ts';
import { isPromise } from '../request/is-promise.ts';
import type { ManifestPage } from '../manifest.ts';
import { createMatcher } from './match.ts';
import type { Match } from './match.ts';
import { renderPage, toPage, toPrerendered } from '../modules/pages.ts';
import type { Page, PageRequest } from '../modules/pages.ts';
import { parsePattern } from './pattern.ts';
import { isResponse, textResponse } from '../http/responses.ts';
import { whenLoaded } from '../modules/server-build.ts';
import type { ModuleLoader } from '../modules/server-build.ts';
import { isForPages } from './targets.ts';
import type { Visit } from './visit.ts';

/** Answers a visit that nothing else answers. `isPage`: a page exists, but has not found its content. */
export type NotFound = (visit: Visit, context: HandlerContext, isPage?: boolean) => unknown;

/** Compiles the not-found pages of a manifest. If there is none, the answer is a line of text. */
export function createNotFound(pages: readonly ManifestPage[] = [], load: ModuleLoader): NotFound {
  if (pages.length === 0) return () => textResponse(404, 'Not found');
  const find = createFolderMatcher(pages.map(toPage));
  return ({ request, pathname }, context, isPage = false) => {
    const match = find(pathname);
    if (!match) return textResponse(404, 'Not found');
    // A cache must not send one form to a client that asks for the other.
    context.variesBy = 'Accept';
    if (!wantsPage(request, isPage)) return textResponse(404, 'Not found');
    const { entry, params } = match;
    const file = entry.fileFor(params, 'GET');
    const asked = request.method === 'POST' ? toGet(request) : request;
    return context.run(() => whenLoaded(load(file), callNotFound, { context, request: asked, file, params }));
  };
}

function wantsPage({ method, headers }: Request, isPage: boolean): boolean {
  return (isPage || isForPages(method)) && admitsHtml(headers.get('accept'));
}

/** The not-found page for an action that has not found something. The request body has been read. */
function toGet({ url, headers, signal }: Request): Request {
  return new Request(url, { headers, signal });
}

// File names cannot have this character, so no parameter of a page has this name.
const BELOW = '\0';

/** Finds the page of the folder that a path is in, or of the nearest one above. */
function createFolderMatcher(pages: readonly Page[]): (pathname: string) => Match<Page> | undefined {
  const byDepth = new Map<number, { pattern: string; page: Page }[]>();
  for (const page of pages) {
    const depth = parsePattern(page.pattern).length;
    const folder = depth === 0 ? '' : page.pattern;
    const own = [page.pattern, `${folder}/[...${BELOW}]`].map((pattern) => ({ pattern, page }));
    byDepth.set(depth, [...(byDepth.get(depth) ?? []), ...own]);
  }
  const matchers = [...byDepth].toSorted(([a], [b]) => b - a).map(([, entries]) => createMatcher(entries));
  const top = byDepth.get(0)?.[0]?.page;
  return (pathname) => {
    for (const match of matchers) {
      const found = match(pathname);
      if (!found) continue;
      const { [BELOW]: _, ...params } = found.params;
      return { entry: found.entry.page, params };
    }
    // It also covers paths that no pattern fits, such as one that begins with two slashes.
    return top && { entry: top, params: {} };
  };
}

function callNotFound(module: unknown, page: PageRequest): unknown {
  const finished = toPrerendered(module);
  if (finished) return new Response(finished.html, { status: 404, headers: page.context.prerenderedHeaders });
  const rendered = renderPage(module, page);
  return isPromise(rendered) ? rendered.then(withNotFoundStatus) : withNotFoundStatus(rendered);
}

// An answer other than a success, such as a redirect thrown by the page, stays unchanged.
function withNotFoundStatus(rendered: unknown): unknown {
  if (!isResponse(rendered) || !rendered.ok) return rendered;
  const headers = new Headers(rendered.headers);
  headers.delete('etag');
  return new Response(rendered.body, { status: 404, headers });
}
