import { createSiteDevelopment, hasNotFound, hasRootNotFound, isListed, SITE_MODULES } from 'appkit-build/development';
import type { AppDescription, DescribedPage, DescribedSite, SourcedPage } from 'appkit-build/development';
import { ExportError } from 'appkit-build/problem';
import type { Problem } from 'appkit-build/problem';
import type { PageModule } from 'appkit-server/manifest';
import { admitsHtml, DATA_PARAMETER, namesHtml } from 'appkit-server/match';
import type { NormalizedHotChannelClient, Plugin, PluginOption } from 'vite';
import { printWarning } from '../report/error.ts';
import { insertIntoHead } from './into-head.ts';
import { REACT_PLUGIN } from './load-react-plugin.ts';
import { collectStyles, toNonceAttribute } from './page-styles.ts';
import { PAGE_HEADER } from './hosts/in-host.ts';
import type { DevSite, HostedCall, LoadedLines, SiteContext, SitePages } from './site.ts';
import { VITE_BASE } from './vite-base.ts';

/** The exports of the module that renders pages. The full types belong to the app's appkit-router. */
interface RenderModule {
  render(target: RenderTarget, request: Request, params: Record<string, string>): Promise<Response>;
  shell(assets: PageAssets): Promise<string>;
  notFound(): string;
  loadPage(pattern: string): Promise<{ generateStaticParams?(): unknown }>;
  readLoaded(lines: LoadedLines): ReadLoaded;
}

/** The results of loaders that have run elsewhere, and their errors, which are reported there. */
interface ReadLoaded {
  loaded: { failure?: { error: unknown } };
  errors: WeakSet<object>;
}

interface RenderTarget {
  pattern: string;
  isNotFound?: boolean;
  hasNotFound?: boolean;
  isStatic?: boolean;
  assets: PageAssets;
  loaded?: ReadLoaded['loaded'] | undefined;
  nonce?: string | undefined;
  onError: ((error: unknown) => void) | undefined;
  tellsErrors: boolean;
}

interface PageAssets {
  entry: string;
  modules: readonly string[];
  styles: readonly string[];
}

/** As Vite writes ids into URLs. */
const toUrlOfId = (id: string): string => `${VITE_BASE}@id/${id.replace('\0', '__x00__')}`;

/** Under this key, appkit-server keeps the context of a request. */
const STORE = Symbol.for('appkit.requestContext');

const ASSETS: PageAssets = {
  entry: toUrlOfId(SITE_MODULES.clientId),
  modules: [],
  styles: [],
};

/** What is sent with a page without a client: only what loads the document again after each save. */
const NO_ASSETS: PageAssets = { entry: '', modules: [], styles: [] };
const toReloading = (nonce: string | undefined): string =>
  `<script type="module"${toNonceAttribute(nonce)} src="${toUrlOfId(SITE_MODULES.reloadId)}"></script>`;

/**
 * Creates the pages of an app in development, rendered for each request from the saved files, with the renderer of an
 * export.
 *
 * @param react – `@vitejs/plugin-react`, if the app has it and its Vite configuration does not already use it.
 * @param isTested – they answer as in an export: without development code for the browser, and without showing errors
 * to the client.
 */
export function createPageSite(
  projectRoot: string,
  { react, hasRefresh, isTested }: { react: PluginOption; hasRefresh: boolean; isTested: boolean },
): Omit<DevSite, 'config' | 'configFiles'> {
  const development = createSiteDevelopment(projectRoot, { withRefresh: hasRefresh });
  let hasWarned = hasRefresh || isTested;
  const versions = createVersions();
  return {
    plugins: [...development.plugins, react, versions.plugin],
    entry: SITE_MODULES.server,
    async describe(context) {
      const { vite, app, modules } = context;
      // Vite would use its own base; an export uses the app's. Vite reads this once, for the first module that uses it.
      vite.config.env['BASE_URL'] = `${app.config.base ?? ''}/`;
      if (development.update(app)) {
        modules.invalidate(SITE_MODULES.siteId, 'change');
        const { client } = vite.environments;
        client.moduleGraph.onFileChange(SITE_MODULES.siteId);
        versions.nextSite();
        // Without an open page, Vite keeps the message for the next page, which already has the new list and would
        // load twice.
        if (vite.ws.clients.size > 0) client.hot.send({ type: 'full-reload' });
      }
      if (!app.site) return { manifest: {}, modules: {}, hosted: {} };
      if (!hasWarned)
        printWarning(`${REACT_PLUGIN} is not installed: a changed page is loaded again and loses its state.`);
      hasWarned = true;
      return app.site.output === 'single'
        ? toShell(app.site, { ...context, toMarkup: versions.toMarkup })
        : toPages(app.site, { ...context, isTested, toMarkup: versions.toMarkup });
    },
    refresh({ vite }) {
      versions.next();
      vite.environments.client.hot.send({ type: 'custom', event: SITE_MODULES.events.data });
    },
  };
}

/**
 * Counts the changes of data and of the list of pages, so that a page also learns of a change between its rendering
 * and its connection to Vite.
 */
function createVersions(): { plugin: Plugin; next(): void; nextSite(): void; toMarkup(): string } {
  const { data, rendered } = SITE_MODULES.events;
  let version = 0;
  let ofSite = 0;
  return {
    next: () => void version++,
    nextSite: () => void (ofSite = ++version),
    toMarkup: () => `<meta name="${rendered}" content="${version}">`,
    plugin: {
      name: 'appkit:versions',
      configureServer({ environments }) {
        environments.client.hot.on(rendered, (content: unknown, client: NormalizedHotChannelClient) => {
          if (typeof content !== 'string') return;
          if (Number(content) < ofSite) client.send({ type: 'full-reload' });
          else if (Number(content) < version) client.send(data);
        });
      },
    },
  };
}

/** The context for rendering a page. */
interface PageContext extends ShellContext {
  isTested: boolean;
}

/** The context for rendering the single document of a site with the output `single`. */
interface ShellContext extends SiteContext {
  /**
   * Returns the markup that tells the browser which version of the data the page was rendered with. Called before the
   * data is loaded.
   */
  toMarkup(): string;
}

function toPages(site: DescribedSite, context: PageContext): SitePages {
  const modules: SitePages['modules'] = {};
  const hosted: Record<string, SitePages['hosted'][string]> = {};
  const add = (page: DescribedPage, options: { isNotFound: boolean }): SourcedPage => {
    const file = `${options.isNotFound ? 'not-found' : 'page'} ${page.pattern}`;
    modules[file] = () => toPageModule(page, { site, context, ...options });
    hosted[file] = (call) => answerHosted(page, { site, context, ...options }, call);
    return { pattern: page.pattern, file, source: page.file, ...(page.hasAction ? { hasAction: true } : {}) };
  };
  const notFound = site.notFound.map((page) => add(page, { isNotFound: true }));
  if (site.pages.length > 0 && !hasRootNotFound(site.notFound)) {
    const file = 'not-found';
    modules[file] = () => ({ GET: (request: Request) => renderDefaultNotFound(request, context) });
    hosted[file] = ({ request }) => renderDefaultNotFound(request, context);
    notFound.push({ pattern: '/', file });
  }
  const pages = site.pages.map((page) => add(page, { isNotFound: false }));
  // A host of files sends a path to the form that its file has.
  const { trailingSlash = site.output === 'static' ? 'never' : undefined } = context.app.config;
  return {
    manifest: { pages, notFound, ...(trailingSlash && { trailingSlash }) },
    modules,
    hosted,
  };
}

/** The answer that an export has for an app without a not-found page. */
async function renderDefaultNotFound({ headers }: Request, context: PageContext): Promise<Response> {
  if (!namesHtml(headers.get('accept'))) return toNotFound();
  const version = context.toMarkup();
  const html = (await loadRenderer(context)).notFound();
  const response = new Response(html, { status: 404, headers: { 'content-type': 'text/html; charset=utf-8' } });
  return context.isTested ? response : insertIntoHead(response, version + toReloading(usedNonce()));
}

interface Rendering {
  site: DescribedSite;
  context: PageContext;
  isNotFound: boolean;
}

/** A request for a page. */
interface PageRequest extends Rendering {
  /** Its loaders and its action run elsewhere, or it has none. */
  isView?: boolean | undefined;
  request: Request;
  params: Record<string, string>;
  nonce?: string | undefined;
}

function toPageModule(page: DescribedPage, rendering: Rendering): PageModule {
  return {
    async POST(request, params) {
      if (page.problems.length > 0) throw new ExportError(page.problems);
      return renderPage(page, { ...rendering, isWritten: false, request, params });
    },
    async GET(request, params) {
      const call = { ...rendering, request, params };
      return (await answerAsExported(page, call)) ?? renderPage(page, { ...call, isWritten: false });
    },
  };
}

/** The answer for a page that an export writes, or that a static export lacks. `undefined` if a server renders it. */
async function answerAsExported(page: DescribedPage, { request, ...call }: PageRequest): Promise<Response | undefined> {
  if (page.problems.length > 0) throw new ExportError(page.problems);
  const { site, isNotFound } = call;
  const isWritten = isNotFound ? isWrittenNotFound(page) : await isWrittenPage(page, call);
  if (isWritten && page.loaders.length === 0 && isForData(request)) return toNotFound();
  if (isWritten) return renderPage(page, { ...call, isWritten, request: withoutQuery(request) });
  return site.output === 'static' && !isNotFound ? answerUnlisted({ request, ...call }) : undefined;
}

/** Answers a host: for a page with loaders that run there, once it sends their results. */
async function answerHosted(
  page: DescribedPage,
  rendering: Rendering,
  { request, params, nonce, isWhole, lines }: HostedCall,
): Promise<Response> {
  if (page.problems.length > 0) throw new ExportError(page.problems);
  const call = { ...rendering, request, params, nonce };
  const isView = !isWhole;
  if (!lines) {
    const exported = request.method === 'POST' ? undefined : await answerAsExported(page, call);
    if (exported) return exported;
    if (page.loaders.length > 0 && !isWhole) return tell('data');
    return renderPage(page, { ...call, isView, isWritten: false });
  }
  const { readLoaded } = await loadRenderer(rendering.context, { isView });
  const given = readLoaded(lines);
  try {
    return await renderPage(page, { ...call, isView, given, isWritten: false });
  } catch (error) {
    const { failure } = given.loaded;
    if (failure && failure.error === error) return tell('failure');
    throw error;
  }
}

function tell(what: 'data' | 'failure'): Response {
  return new Response(null, { status: 204, headers: { [PAGE_HEADER]: what } });
}

/** Whether an export renders the page in advance, so that it cannot depend on the request. */
async function isWrittenPage(
  page: DescribedPage,
  { params, site, context }: { params: Record<string, string>; site: DescribedSite; context: SiteContext },
): Promise<boolean> {
  if (!page.hasStaticParams)
    return site.output === 'static' || !(page.pattern.includes('[') || page.loaders.length > 0);
  const { loadPage } = await loadRenderer(context);
  const given = await (await loadPage(page.pattern)).generateStaticParams?.();
  return isListed(page, { params, given, output: site.output });
}

function isWrittenNotFound({ pattern, loaders }: DescribedPage): boolean {
  return !pattern.includes('[') && loaders.length === 0;
}

/** A static host has no file for parameters that a page does not list. */
async function answerUnlisted(call: PageRequest): Promise<Response> {
  const { site, context, request } = call;
  const page = site.notFound.find(({ pattern }) => pattern === '/');
  if (!admitsHtml(request.headers.get('accept'))) return toNotFound({ vary: 'Accept' });
  const response = page
    ? await renderPage(page, { ...call, isNotFound: true, isWritten: true, params: {} })
    : await renderDefaultNotFound(request, context);
  response.headers.append('vary', 'Accept');
  return response;
}

async function renderPage(
  page: DescribedPage,
  {
    site,
    context,
    isNotFound,
    isWritten,
    request,
    params,
    nonce,
    isView,
    given,
  }: PageRequest & { isWritten: boolean; given?: ReadLoaded },
): Promise<Response> {
  const version = context.toMarkup();
  const { render } = await loadRenderer(context, { isView });
  const { isTested, onError } = context;
  const target = {
    pattern: page.pattern,
    isNotFound,
    hasNotFound: hasNotFound(page, site.notFound),
    isStatic: isWritten,
    assets: page.isWithoutClient ? NO_ASSETS : ASSETS,
    loaded: given?.loaded,
    nonce,
    onError:
      onError &&
      ((error: unknown) => {
        if (!given?.errors.has(Object(error))) onError(error, request);
      }),
    tellsErrors: !isTested,
  };
  const rendered = await render(target, request, params);
  if (isTested) return rendered;
  const response = hasCacheControl(context.app) ? rendered : neverKept(rendered);
  if (!(response.headers.get('content-type') ?? '').startsWith('text/html')) return response;
  const sources = [...(site.html === undefined ? [] : [site.html]), ...page.layouts, page.file];
  const used = nonce ?? usedNonce();
  const reloading = page.isWithoutClient ? toReloading(used) : '';
  return insertIntoHead(response, version + reloading + (await collectStyles(sources.map(toUrl), context, used)));
}

/** The nonce of the answer that is being made, if middleware has asked for one. */
function usedNonce(): string | undefined {
  const store = (globalThis as { [STORE]?: { getStore(): { usedNonce?: string | undefined } | undefined } })[STORE];
  return store?.getStore()?.usedNonce;
}

function toShell(site: DescribedSite, context: ShellContext): SitePages {
  const problems: Problem[] = [...site.pages, ...site.notFound].flatMap((page) => page.problems);
  const answerRoot = async (): Promise<Response> => {
    if (problems.length > 0) throw new ExportError(problems);
    const version = context.toMarkup();
    const { shell } = await loadRenderer(context);
    const headers = { 'content-type': 'text/html; charset=utf-8' };
    const sources = site.html === undefined ? [] : [site.html];
    return insertIntoHead(
      new Response(await shell(ASSETS), { headers }),
      version + (await collectStyles(sources.map(toUrl), context)),
    );
  };
  // One document serves every path: sent to clients that accept anything, it would also replace a missing script. At the
  // root it is a file.
  const answerOther = async ({ headers }: Request): Promise<Response> =>
    problems.length > 0 || namesHtml(headers.get('accept')) ? answerRoot() : toNotFound();
  return {
    manifest: {
      pages: [
        { pattern: '/', file: 'root' },
        { pattern: '/[...path]', file: 'other' },
      ],
    },
    modules: { root: () => ({ GET: answerRoot }), other: () => ({ GET: answerOther }) },
    hosted: { root: answerRoot, other: ({ request }) => answerOther(request) },
  };
}

/** The answer of a server, or of `appkit serve`, to a client that does not accept a page. */
function toNotFound(headers: Record<string, string> = {}): Response {
  return new Response('Not found', { status: 404, headers: { 'content-type': 'text/plain', ...headers } });
}

async function loadRenderer(
  { modules, views }: SiteContext,
  { isView = false }: Pick<PageRequest, 'isView'> = {},
): Promise<RenderModule> {
  const used = isView && views ? views : modules;
  return (await used.load(SITE_MODULES.server)) as unknown as RenderModule; // written by appkit-build
}

function toUrl(file: string): string {
  return `/${file}`;
}

/** Whether the config sets `Cache-Control` for every answer. */
function hasCacheControl({ config }: AppDescription): boolean {
  return Object.keys(config.headers ?? {}).some((name) => name.toLowerCase() === 'cache-control');
}

/** A user who goes back to a page must see what was saved since. */
function neverKept({ status, statusText, headers, body }: Response): Response {
  const own = new Headers(headers);
  if (!own.has('cache-control')) own.set('cache-control', 'no-store');
  return new Response(body, { status, statusText, headers: own });
}

/** The request as it is when an export renders a page: its query only says whether just the data is requested. */
function withoutQuery(request: Request): Request {
  const url = new URL(request.url);
  if (url.search === '' || url.search === `?${DATA_PARAMETER}`) return request;
  url.search = isForData(request) ? DATA_PARAMETER : '';
  return new Request(url, request);
}

function isForData({ url }: Request): boolean {
  return new URL(url).searchParams.has(DATA_PARAMETER);
}
