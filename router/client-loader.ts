import { toCanonicalPath } from 'appkit-server/match';
import { withBase, withoutBase } from './base.ts';
import { createPageFinder } from './find-page.ts';
import { fetchData, findAsked, toDataUrl } from './fetch-data.ts';
import type { DataAnswer, FetchDataOptions, PageData } from './fetch-data.ts';
import { toServerError } from './given-error.ts';
import type { Destination, LoadOptions } from './navigator.ts';
import { isOtherClient, isOtherRelease } from './release.ts';
import { loadModules, toLevels } from './site.ts';
import type { Level, LoadedPage, Site, SitePage } from './site.ts';

/** Loads the pages that the client navigates to. */
export interface ClientLoader {
  /**
   * Loads a page: its modules, and its data from the server at the same time. Rejects only when the signal is aborted.
   */
  load(url: URL, options: LoadOptions): Promise<Destination>;
  /** Whether a page answers this URL. `hasAction`: whether it also accepts forms. */
  isPage(url: URL, options: { hasAction: boolean }): boolean;
  /** Loads a page before a visitor goes there. The next {@link load} of that URL uses its data. */
  prefetch(url: URL, from: LoadedPage | undefined): void;
}

/** The number of redirects that a browser follows. */
const MAX_REDIRECTS = 20;

/** The maximum age of prefetched data, in milliseconds. */
const MAX_AGE_MS = 30_000;

/** The maximum number of pages whose data are kept. */
const MAX_PREFETCHED = 50;

/**
 * Makes the loader of a site.
 *
 * @param client – the entry of the client in the document.
 */
export function createClientLoader(site: Site, client: string | undefined): ClientLoader {
  const find = createPageFinder(site);
  const prefetched = new Map<string, Asked & { at: number }>();

  const ask = (
    url: URL,
    { page, asked, ...options }: Omit<FetchDataOptions, 'signal'> & { page: SitePage; asked: readonly number[] },
  ): Asked | undefined => {
    const { href } = toDataUrl(site, url, { page, asked });
    if (options.body !== undefined) return request(href, options);
    if (asked.length === 0) return undefined;
    const early = prefetched.get(href);
    prefetched.delete(href);
    if (!options.isFresh && early && performance.now() - early.at < MAX_AGE_MS) return early;
    return request(href, options);
  };

  /** The client may have the data of some of its layouts. The server sends the rest, in a document. */
  const loadNotFound = async (url: URL, from: LoadedPage | undefined): Promise<Destination> => {
    const found = find.notFound(url.pathname);
    // There is one document for every path: loading it again would end here again.
    if (!found) return { url, loaded: toUnknown() };
    const kept = findKept(found, from);
    if (findAsked(found.page, { kept: kept.length }).length > 0) return { url, isDocument: true };
    const modules = await loadModules(found.page).catch(() => undefined);
    if (!modules) return { url, isDocument: true };
    return { url, loaded: { ...found, levels: toKeptLevels(modules, kept) } };
  };

  /** The page URL that its host would redirect a browser to. */
  const toCanonical = (url: URL): URL => {
    const canonical = new URL(url);
    const path = withoutBase(url.pathname);
    if (path !== undefined && path !== '/') canonical.pathname = withBase(toCanonicalPath(path, site.trailingSlash));
    return canonical;
  };

  const load = async (to: URL, { signal, from, body, own }: LoadOptions): Promise<Destination> => {
    let url = to;
    let sent = body;
    // A repeated load may find another result, as after a form.
    if (from === undefined) prefetched.clear();
    for (let count = 0; count < MAX_REDIRECTS; count++) {
      const found = find(url.pathname);
      if (found === undefined || found === 'document') {
        // A host may send the single document for paths outside the base, too.
        const isUnknown = found === undefined || url.href === location.href;
        return site.isSinglePage && isUnknown ? loadNotFound(url, from) : { url, isDocument: true };
      }
      url = toCanonical(url);
      const kept = findKept(found, from);
      const asked = findAsked(found.page, { kept: kept.length });
      const sending = ask(url, { page: found.page, asked, isFresh: from === undefined, body: sent });
      signal.addEventListener('abort', () => sending?.source.abort(), { once: true });
      const [modules, answer] = await Promise.all([
        // The files of another release may be gone; its documents name the existing ones.
        loadModules(found.page).catch(() => undefined),
        sending?.answer,
      ]);
      // What was prefetched before the answer to a form may have changed by it.
      if (sent !== undefined) prefetched.clear();
      signal.throwIfAborted();
      const isTold = answer?.kind === 'data' && sent !== undefined && isOtherClient(answer.client, client);
      const told = isTold && own ? toTold(answer, own) : undefined;
      if (told) return { url, isOld: true, loaded: { ...told, actionSource: sending?.source } };
      const isOther = answer?.kind === 'data' && isOtherRelease(answer.client, client);
      if (modules === undefined && isLoadedAgain(url)) return { url, loaded: toUnloadable(found) };
      if (modules === undefined || isOther || answer?.kind === 'document') return { url, isDocument: true };
      if (answer?.kind === 'redirect') {
        const next = toTarget(answer.location, url);
        if (!next) return { url, loaded: toRefused(found, modules) };
        if (next.origin !== url.origin) return { url: next, isDocument: true };
        url = next;
        sent = undefined;
        continue;
      }
      const answered = answer?.kind === 'data' ? answer.data : [];
      const given = answered.map((data, index) => ({
        data,
        source: asked.includes(index) ? sending?.source : undefined,
      }));
      const loaded: LoadedPage = { ...found, levels: toKeptLevels(modules, [...kept, ...given.slice(kept.length)]) };
      // The failure of the outermost level without data.
      if (answer?.kind === 'error') loaded.failure = { level: asked[0] ?? modules.length - 1, error: answer.error };
      if (answer?.kind !== 'data') return { url, loaded };
      const { failure, actionData } = answer;
      if (failure?.status === 404 && find.notFound(url.pathname)) return loadNotFound(url, from);
      if (failure) loaded.failure = { level: failure.level, error: toServerError(failure) };
      return { url, loaded: { ...loaded, actionData, actionSource: sent === undefined ? undefined : sending?.source } };
    }
    // The browser reports it better.
    return { url: to, isDocument: true };
  };

  return {
    load,
    isPage({ pathname }, { hasAction }) {
      const found = find(pathname);
      return typeof found === 'object' && (!hasAction || found.page.hasAction);
    },
    prefetch(to, from) {
      const url = toCanonical(to);
      const found = find(url.pathname);
      if (typeof found !== 'object') return;
      // If the page cannot be loaded, the error appears when the visitor goes there.
      loadModules(found.page).catch(() => undefined);
      const kept = findKept(found, from);
      const asked = findAsked(found.page, { kept: kept.length });
      if (asked.length === 0) return;
      const { href } = toDataUrl(site, url, { page: found.page, asked });
      const early = prefetched.get(href);
      const now = performance.now();
      if (early && now - early.at < MAX_AGE_MS) return;
      const sending = request(href, { isFresh: true });
      prefetched.set(href, { ...sending, at: now });
      // The navigation itself requests it again.
      sending.answer.then(
        ({ kind }) => kind === 'data' || prefetched.delete(href),
        () => undefined,
      );
      for (const [other, { at }] of prefetched) {
        if (now - at >= MAX_AGE_MS || prefetched.size > MAX_PREFETCHED) prefetched.delete(other);
      }
    },
  };
}

/**
 * The page that has sent a form, with what another release says of it: a document would not say it, and would be without what the visitor
 * has written. The data stay: those of the other release are for its own code. `undefined` if there is nothing to say.
 */
function toTold({ actionData, failure }: PageData, { page, params, levels }: LoadedPage): LoadedPage | undefined {
  if (actionData === undefined && failure === undefined) return undefined;
  if (!failure) return { page, params, levels, actionData };
  const level = Math.min(failure.level, levels.length - 1);
  return { page, params, levels, actionData, failure: { level, error: toServerError(failure) } };
}

/** A request for data. */
interface Asked {
  answer: Promise<DataAnswer>;
  /** Ends the response, of which promises may still be missing. */
  source: AbortController;
}

function request(href: string, options: Omit<FetchDataOptions, 'signal'>): Asked {
  const source = new AbortController();
  return { answer: fetchData(href, { ...options, signal: source.signal }), source };
}

/** The levels of a page, with these data. */
function toKeptLevels(
  modules: Parameters<typeof toLevels>[0],
  given: readonly Pick<Level, 'data' | 'source'>[],
): Level[] {
  const levels = toLevels(
    modules,
    given.map(({ data }) => data),
  );
  return levels.map((level, index) => ({ ...level, source: given[index]?.source }));
}

/** The layouts whose data stay: the layouts of both pages, with the same parameters in their paths. */
function findKept(
  { page: { layouts }, params }: Pick<LoadedPage, 'page' | 'params'>,
  from: LoadedPage | undefined,
): LoadedPage['levels'] {
  if (!from || from.failure) return [];
  const differs = layouts.findIndex(
    (layout, index) =>
      layout !== from.page.layouts[index] || layout.params.some((name) => params[name] !== from.params[name]),
  );
  return from.levels.slice(0, differs === -1 ? layouts.length : differs);
}

/**
 * Where a browser would go. `javascript:` is code, not an address. RFC 9110, 10.2.2: without a fragment of its own, the
 * target has that of the URL it replaces.
 */
function toTarget(location: string, from: URL): URL | undefined {
  const target = new URL(location, from);
  if (!location.includes('#')) target.hash = from.hash;
  return /^https?:$/.test(target.protocol) ? target : undefined;
}

function toRefused(found: Pick<LoadedPage, 'page' | 'params'>, modules: Parameters<typeof toLevels>[0]): LoadedPage {
  const error = new TypeError(`${found.page.pattern} redirects to no web page.`);
  return { ...found, levels: toLevels(modules, []), failure: { level: 0, error } };
}

/** Whether a URL is that of this document, which has been reloaded already: another reload would change nothing. */
function isLoadedAgain({ href }: URL): boolean {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]; // of this type are no others
  return href === location.href && entry?.type === 'reload';
}

function toUnloadable(found: Pick<LoadedPage, 'page' | 'params'>): LoadedPage {
  const error = new Error(`The code of ${found.page.pattern} cannot be loaded.`);
  return { ...found, levels: [], failure: { level: 0, error } };
}

/** Shown when there is no page, not even a not-found page. */
function toUnknown(): LoadedPage {
  const page: SitePage = {
    pattern: '',
    load: () => Promise.reject(new Error('There is no page here.')),
    layouts: [],
    hasLoader: false,
    hasAction: false,
  };
  const error = toServerError({ message: 'Not found', status: 404 });
  return { page, params: {}, levels: [], failure: { level: 0, error } };
}
