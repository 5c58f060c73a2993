import { codedError } from '../http/coded-error.ts';
import { isNoneMatch } from '../http/etag.ts';
import type { HandlerContext } from '../request/handler-context.ts';
import type { Manifest, ManifestPage, PageModule, PrerenderedPage } from '../manifest.ts';
import { isForData } from '../routing/data-request.ts';
import { parsePattern } from '../routing/pattern.ts';
import { textResponse } from '../http/responses.ts';

/** A page of the manifest, ready to be called. */
export interface Page {
  kind: 'page';
  pattern: string;
  /** Whether it answers `POST` too. */
  hasAction: boolean;
  usesCache?: boolean;
  middleware?: readonly string[] | undefined;
  /** The module that answers a method for these parameters. */
  fileFor(params: Record<string, string>, method: string): string;
}

/** The request for a page. */
export interface PageRequest {
  context: HandlerContext;
  request: Request;
  file: string;
  params: Record<string, string>;
}

/** Reads a page of the manifest. */
export function toPage({
  pattern,
  file,
  prerendered,
  hasAction = false,
  usesCache = false,
  middleware,
}: ManifestPage): Page {
  const page = { kind: 'page', pattern, hasAction, usesCache, middleware } as const;
  if (!prerendered) return { ...page, fileFor: () => file };
  const segments = parsePattern(pattern);
  return {
    ...page,
    fileFor(params, method) {
      if (method === 'POST') return file;
      const texts = segments.map((segment) => {
        if (segment.kind === 'static') return segment.text;
        const value = params[segment.name] ?? '';
        return segment.kind === 'rest' ? value.split('/').map(encodeURIComponent).join('/') : encodeURIComponent(value);
      });
      return prerendered[`/${texts.join('/')}`] ?? file;
    },
  };
}

/** Answers a request for a page. For HEAD, the host sends only the head of the answer. */
export function callPage(module: unknown, page: PageRequest): unknown {
  const finished = toPrerendered(module);
  return finished ? answerPrerendered(finished, page) : renderPage(module, page);
}

/** The finished page in a module, if it has one. */
export function toPrerendered(module: unknown): PrerenderedPage | undefined {
  return (module as Partial<{ prerendered: PrerenderedPage }>).prerendered;
}

/** Renders a page. */
export function renderPage(module: unknown, { context, request, file, params }: PageRequest): unknown {
  const name = request.method === 'POST' ? 'POST' : 'GET';
  const { [name]: render } = module as Partial<Extract<PageModule, { GET: unknown }>>;
  if (typeof render !== 'function') {
    throw codedError(
      'ERR_BUILD_INVALID',
      `The page ${file} of the server build has neither prerendered nor ${name}. Export the app again.`,
    );
  }
  context.source = { file, name };
  // Rendered for one visitor: a shared cache would send it to others. Data, which users cannot reload, is not even
  // kept in the browser.
  context.cacheControl = isForData(request.url) ? 'private, no-store' : 'private, no-cache';
  return render(request, params);
}

/**
 * The headers of a page that the export has finished: it may be kept, but must be revalidated, unless the config says otherwise for every answer.
 */
export function toPrerenderedHeaders(configured?: Manifest['headers']): Record<string, string> {
  const isConfigured = findCacheControl(configured) !== undefined;
  return {
    'content-type': 'text/html; charset=utf-8',
    ...(isConfigured ? {} : { 'cache-control': 'public, max-age=0, must-revalidate' }),
  };
}

/** The `Cache-Control` that the config sets for every answer. */
export function findCacheControl(configured: Manifest['headers'] = {}): string | undefined {
  const name = Object.keys(configured).find((one) => one.toLowerCase() === 'cache-control');
  return name === undefined ? undefined : [configured[name]].flat().join(', ');
}

function answerPrerendered({ html, etag, data }: PrerenderedPage, { context, request }: PageRequest): Response {
  const { url, headers } = request;
  const { prerenderedHeaders } = context;
  if (isForData(url)) {
    if (data === undefined) return textResponse(404, 'Not found');
    return new Response(data, { headers: { ...prerenderedHeaders, 'content-type': 'application/json' } });
  }
  if (!isNoneMatch(headers.get('if-none-match'), etag)) {
    return new Response(html, { headers: { ...prerenderedHeaders, etag } });
  }
  const { 'content-type': _, ...kept } = prerenderedHeaders;
  return new Response(null, { status: 304, headers: { ...kept, etag } });
}
