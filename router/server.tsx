import type { ReactNode } from 'react';
import { preinit, preloadModule } from 'react-dom';
import { renderToReadableStream } from 'react-dom/server.edge';
import { StaticRouterProvider, createStaticHandler, createStaticRouter } from 'react-router';
import { DATA_PARAMETER } from 'appkit-server/match';
import type { DataAnswer } from './data-request.ts';
import { Document, writeGiven } from './document.tsx';
import type { GivenError, GivenPage } from './document.tsx';
import { LoaderError, toPageRoute, toServerError } from './page-route.tsx';
import { createErrorReporter } from './report-error.ts';
import { loadModules } from './site.ts';
import type { LoadedPage, Site } from './site.ts';

/** The files of the client bundle that a page needs, as URL paths. */
export interface PageAssets {
  /** The module that starts the client. */
  entry: string;
  /** Modules the page will ask for. */
  modules: readonly string[];
  /** Style sheets. */
  styles: readonly string[];
}

/** What is rendered. */
export interface RenderTarget {
  pattern: string;
  /** The page is that of a `+not-found`. Default: `false`. */
  isNotFound?: boolean;
  assets: PageAssets;
  /** Wait until all of it is there, and reject when any part fails. Default: `false`, which streams. */
  isStatic?: boolean;
  /** Told what a request for the data alone would be answered, when the page has a loader. */
  onData?: (answer: DataAnswer) => void;
  /** Called with an error that the answer does not tell. Default: reports it to `onError` of the adapter. */
  onError?: (error: unknown) => void;
}

/** Renders a page for a request, or gives its data alone. */
export type Render = (target: RenderTarget, request: Request, params: Record<string, string>) => Promise<Response>;

/** Makes the renderer of a site. */
export function createRenderer(site: Site): Render {
  return async (target, request, params) => {
    const pages = target.isNotFound ? site.notFound : site.pages;
    const page = pages.find(({ pattern }) => pattern === target.pattern);
    if (!page) throw new Error(`The site has no page ${target.pattern}. Export the app again.`);
    const url = new URL(request.url);
    const isDataRequest = url.searchParams.has(DATA_PARAMETER);
    url.searchParams.delete(DATA_PARAMETER);

    const modules = await loadModules(page);
    const renderedAt = url.pathname + url.search;
    const place = { ...modules, params, renderedAt };
    const given: GivenPage = {
      pattern: page.pattern,
      params,
      renderedAt,
      ...(target.isNotFound ? { isNotFound: true } : {}),
    };
    const rendering = { target, url, signal: request.signal };
    let data: unknown;
    try {
      data = await runLoader(modules.module, { request, url, params });
    } catch (error) {
      // The client is given the error as any caller of a route is, and shows it in the boundary too.
      if (isDataRequest || target.isStatic || !modules.module.ErrorBoundary) throw error;
      const shown = toGivenError(error, target);
      const loaded = { ...place, data: undefined };
      const load = (): Promise<never> => Promise.reject(new LoaderError(toServerError(shown), loaded));
      return renderDocument(site, { ...rendering, load, given: { ...given, error: shown }, status: shown.status });
    }
    if (isDataRequest) return dataResponse(data);
    if (data instanceof Response) return data;
    if (modules.module.loader) target.onData?.({ data });
    const load = async (): Promise<LoadedPage> => ({ ...place, data });
    const status = target.isNotFound ? 404 : 200;
    return renderDocument(site, { ...rendering, load, given: data === undefined ? given : { ...given, data }, status });
  };
}

const STATUS_ERROR = Symbol.for('appkit.StatusError');

/** A `StatusError`, of whichever copy of appkit-server, is meant for the client. Of any other error it learns nothing. */
function toGivenError(error: unknown, { onError = createErrorReporter() }: RenderTarget): GivenError {
  if (typeof error === 'object' && error !== null && Object.hasOwn(error, STATUS_ERROR)) {
    const { message, status, cause } = error as GivenError & { cause?: unknown };
    // As of a route: what it hides from the client, the app is told.
    if (status >= 500 && cause !== undefined) onError(error);
    return { message, status };
  }
  onError(error);
  return { message: 'Internal server error', status: 500 };
}

/** Renders the document without a page, for every URL of a site that the client renders alone. */
export async function renderShell(site: Site, assets: PageAssets): Promise<string> {
  const stream = await renderToReadableStream(
    <WithAssets assets={assets}>
      <Document Html={site.Html} given={writeGiven({})}>
        {null}
      </Document>
    </WithAssets>,
    { bootstrapModules: [assets.entry] },
  );
  await stream.allReady;
  return new Response(stream).text();
}

async function runLoader(
  { loader }: LoadedPage['module'],
  { request, url, params }: { request: Request; url: URL; params: Record<string, string> },
): Promise<unknown> {
  if (!loader) return undefined;
  // The loader sees the page's URL, whichever of the two the client asks for.
  const seen = request.url === url.href ? request : new Request(url, request);
  try {
    return await loader(seen, params);
  } catch (thrown) {
    if (thrown instanceof Response) return thrown;
    throw thrown;
  }
}

function dataResponse(data: unknown): Response {
  if (!(data instanceof Response)) return json({ data });
  const location = data.headers.get('location');
  // The client goes there itself: its fetch would follow to a document.
  return location === null ? data : json({ redirect: location });
}

function json(answer: DataAnswer): Response {
  return Response.json(answer);
}

async function renderDocument(
  site: Site,
  {
    target,
    load,
    given,
    url,
    signal,
    status,
  }: {
    target: RenderTarget;
    load: () => Promise<LoadedPage>;
    given: GivenPage;
    url: URL;
    signal: AbortSignal;
    status: number;
  },
): Promise<Response> {
  const handler = createStaticHandler([toPageRoute(load)]);
  const context = await handler.query(new Request(url));
  if (context instanceof Response) return context;
  const report = target.onError ?? createErrorReporter();
  const failures: unknown[] = [];
  let isStarted = false;
  const rendered = renderToReadableStream(
    <WithAssets assets={target.assets}>
      <Document Html={site.Html} given={writeGiven(given)}>
        <StaticRouterProvider
          router={createStaticRouter(handler.dataRoutes, context)}
          context={context}
          hydrate={false}
        />
      </Document>
    </WithAssets>,
    {
      bootstrapModules: [target.assets.entry],
      signal,
      onError(error) {
        // What a leaving client breaks is no failure.
        if (signal.aborted) return;
        if (isStarted && !target.isStatic) report(error);
        else failures.push(error);
      },
    },
  );
  const stream = await rendered.catch((error: unknown) => {
    // Whoever catches it reports it.
    for (const other of failures) if (other !== error && !target.isStatic) report(other);
    throw error;
  });
  if (target.isStatic) {
    await stream.allReady;
    if (failures.length > 0) throw failures[0];
  }
  isStarted = true;
  for (const failure of failures) report(failure);
  return new Response(stream, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8' },
  });
}

/** Puts the client's files into the head of what it renders. */
function WithAssets({ assets, children }: { assets: PageAssets; children: ReactNode }): ReactNode {
  for (const href of assets.styles) preinit(href, { as: 'style', precedence: 'appkit' });
  for (const href of assets.modules) preloadModule(href);
  return children;
}
