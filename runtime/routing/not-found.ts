import { admitsHtml } from '../http/accept.ts';
import { createRequest } from '../request/create-request.ts';
import type { HandlerContext } from '../request/handler-context.ts';
import { isPromise } from '../request/is-promise.ts';
import type { ManifestPage } from '../manifest.ts';
import { createFolderMatcher } from './folder-match.ts';
import { renderPage, toPage, toPrerendered } from '../modules/pages.ts';
import type { PageRequest } from '../modules/pages.ts';
import { isResponse, textResponse } from '../http/responses.ts';
import { isStatusError } from '../http/status-error.ts';
import type { Guard } from '../modules/guard.ts';
import { whenLoaded } from '../modules/server-build.ts';
import type { ModuleLoader } from '../modules/server-build.ts';
import { isForPages } from './targets.ts';
import type { Visit } from './visit.ts';

/** Answers a visit that nothing else answers. `isPage`: a page exists, but has not found its content. */
export type NotFound = (visit: Visit, context: HandlerContext, isPage?: boolean) => unknown;

/** The dependencies of {@link createNotFound} in addition to the pages. */
export interface NotFoundOptions {
  load: ModuleLoader;
  /** Runs middleware of the page's folders in front of it. */
  guard: Guard;
}

/** Compiles the not-found pages of a manifest. Without any, the answer is a line of text. */
export function createNotFound(pages: readonly ManifestPage[] = [], { load, guard }: NotFoundOptions): NotFound {
  const find = createFolderMatcher(pages.map(toPage));
  return (visit, context, isPage = false) => {
    const { request, pathname } = visit;
    const match = find(pathname);
    if (!match) return textResponse(404, 'Not found');
    // A cache must not send one form to a client that asks for the other.
    context.variesBy = 'Accept';
    if (!wantsPage(request, isPage)) return textResponse(404, 'Not found');
    const shown: Visit = request.method === 'POST' ? { ...visit, request: toGet(request) } : visit;
    const call = ({ entry, params }: typeof match): unknown => {
      const file = entry.fileFor(params, 'GET');
      const answer = whenLoaded(load(file), callNotFound, { context, request: shown.request, file, params });
      if (!isPromise(answer)) return answer;
      return answer.catch((error: unknown) => {
        // A layout of its folder has not found its content.
        const above = isStatusError(error) && error.status === 404 ? find(pathname, entry) : undefined;
        if (!above) throw error;
        return callGuarded(above);
      });
    };
    const callGuarded = (found: typeof match): unknown =>
      guard(context, { files: found.entry.middleware, visit: shown }, () => context.run(() => call(found)));
    return callGuarded(match);
  };
}

function wantsPage({ method, headers }: Request, isPage: boolean): boolean {
  return (isPage || isForPages(method)) && admitsHtml(headers.get('accept'));
}

/** The not-found page for an action that has not found its content. The request body has been read. */
function toGet({ url, headers, signal }: Request): Request {
  return createRequest(url, { method: 'GET', headers, signal, duplex: 'half' });
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
