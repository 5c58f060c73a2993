import { namesHtml } from 'appkit-server/match';
import { answerData, toText } from './answer-data.ts';
import { setBase } from './base.ts';
import type { GivenPage } from './document.tsx';
import { toErrorDocument } from './error-document.ts';
import { createErrorTeller } from './error-teller.ts';
import type { ErrorTeller } from './error-teller.ts';
import type { GivenError } from './given-error.ts';
import type { PageAssets } from './page-assets.ts';
import { readPageRequest } from './page-request.ts';
import { renderDocument } from './render-document.tsx';
import { runPage } from './run-loaders.ts';
import type { Loaded } from './run-loaders.ts';
import { loadModules, toLevels } from './site.ts';
import type { LoadedPage, Site, SitePage } from './site.ts';
import { isStatusError } from './status-error.ts';
import { writeData } from './write-data.ts';

export type { PageAssets } from './page-assets.ts';
export { toErrorDocument } from './error-document.ts';
export { renderShell } from './render-document.tsx';

/** The page to render. */
export interface RenderTarget {
  pattern: string;
  /** Whether the page is a `+not-found`. Default: `false`. */
  isNotFound?: boolean;
  /**
   * Whether the app has a `+not-found` for this page: the server answers with it when a loader throws a 404. Default:
   * `false`.
   */
  hasNotFound?: boolean;
  assets: PageAssets;
  /** The results of the loaders, if they have run elsewhere. Default: they are run. */
  loaded?: Loaded;
  /** The nonce of the response's Content-Security-Policy. Default: the one that the request's context knows. */
  nonce?: string | undefined;
  /** Wait until the page is complete, and reject if any part fails. Default: `false`, which streams. */
  isStatic?: boolean;
  /** Called with the response to a request for the data alone, if the page or a layout has a loader. */
  onData?: (text: Promise<string>) => void;
  /** Called with an error that the response does not show. Default: reports it to `onError` of the adapter. */
  onError?: (error: unknown) => void;
  /**
   * Give boundaries every error's message, as in development. Default: `false`: only the message of a `StatusError`.
   */
  tellsErrors?: boolean;
}

/** Renders a page for a request, or only its data. */
export type Render = (target: RenderTarget, request: Request, params: Record<string, string>) => Promise<Response>;

/** Makes the renderer of a site. */
export function createRenderer(site: Site): Render {
  setBase(site);
  return async (target, request, params) => {
    const page = findPage(site, target);
    const { isForData, url, seen, levels: asked } = readPageRequest(request);
    const modules = await loadModules(page);
    const loaded = target.loaded ?? (await runPage(modules, { request: seen, params, levels: asked }));
    if (loaded.redirect) return loaded.redirect;

    const errors = createErrorTeller(target);
    const toGivenError = (error: unknown): GivenError => {
      errors.report(error);
      return errors.toGiven(error);
    };
    const writing = { pattern: target.pattern, toGivenError };
    const client = target.assets.entry;
    if (isForData) return answerData(loaded, { client, writing, errors });
    const levels = toLevels(modules, loaded.data);
    const renderedAt = url.pathname + url.search;
    const { failure } = loaded;
    if (failure && isForServer(failure.error, target)) throw failure.error;
    if (modules.some(({ loader }) => loader)) target.onData?.(toText({ client, data: loaded.data }, writing));
    const given: GivenPage = {
      client,
      pattern: page.pattern,
      params,
      renderedAt,
      ...(loaded.data.some((data) => data !== undefined) ? { data: loaded.data } : {}),
      ...(loaded.actionData === undefined ? {} : { actionData: loaded.actionData }),
      ...(target.isNotFound ? { isNotFound: true } : {}),
    };
    const status = loaded.status ?? (target.isNotFound ? 404 : 200);
    const shown: LoadedPage = { page, params, levels, actionData: loaded.actionData, renderedAt, failure };
    const rendered = renderDocument(site, {
      target,
      signal: request.signal,
      loaded: shown,
      given,
      status,
      headers: loaded.headers,
      errors,
      write: (what) => writeData(what, writing),
    });
    return rendered.catch((error: unknown) => answerError(error, { target, request, errors }));
  };
}

function findPage({ notFound, pages }: Site, { pattern, isNotFound }: RenderTarget): SitePage {
  const page = (isNotFound ? notFound : pages).find((one) => one.pattern === pattern);
  if (page) return page;
  throw new Error(`The site has no page ${pattern}. Export the app again.`);
}

/**
 * Whether the server answers a loader's error, and not a boundary of the page: the app has a not-found page for a 404.
 */
function isForServer(error: unknown, { isStatic = false, hasNotFound = false }: RenderTarget): boolean {
  return isStatic || (hasNotFound && (error as { status?: unknown } | null)?.status === 404);
}

/**
 * The response to a browser for an error without a boundary. For other clients, and for an export that writes the page,
 * the server answers.
 */
function answerError(
  error: unknown,
  { target, request, errors }: { target: RenderTarget; request: Request; errors: ErrorTeller },
): Response {
  // In development, a page with the place of the error says more about one that nobody has expected.
  const isExpected = !target.tellsErrors || isStatusError(error);
  const isShown = isExpected && !target.isStatic && !request.signal.aborted;
  if (!isShown || !namesHtml(request.headers.get('accept'))) throw error;
  errors.report(error);
  const given = errors.toGiven(error);
  const headers = { 'content-type': 'text/html; charset=utf-8', vary: 'Accept' };
  return new Response(toErrorDocument(given), { status: given.status, headers });
}
