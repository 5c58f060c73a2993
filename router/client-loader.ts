import { createPageFinder } from './find-page.ts';
import { fetchData, toDataUrl } from './fetch-data.ts';
import type { DataAnswer } from './fetch-data.ts';
import type { Destination, LoadOptions } from './navigator.ts';
import { loadModules, toLevels } from './site.ts';
import type { LoadedPage, Site, SitePage } from './site.ts';

/** Loads what the client goes to. */
export interface ClientLoader {
  /** Loads a page: its modules, and its data from the server at the same time. It rejects only when the signal is aborted. */
  load(url: URL, options: LoadOptions): Promise<Destination>;
  /** Loads a page before anybody goes there. Its data are used by the next {@link load} of that URL. */
  prefetch(url: URL, from: LoadedPage | undefined): void;
}

/** As many as a browser follows. */
const MAX_REDIRECTS = 20;

/** Data that were fetched before they were asked for are as old as this at most, in milliseconds. */
const MAX_AGE_MS = 30_000;

/** Makes the loader of a site. */
export function createClientLoader(site: Site): ClientLoader {
  const find = createPageFinder(site);
  const prefetched = new Map<string, { answer: Promise<DataAnswer>; at: number }>();

  const askFor = (url: URL, { signal, isFresh }: { signal: AbortSignal; isFresh: boolean }): Promise<DataAnswer> => {
    const early = prefetched.get(url.href);
    prefetched.delete(url.href);
    if (!isFresh && early && performance.now() - early.at < MAX_AGE_MS) return early.answer;
    return fetchData(url, { signal, isFresh });
  };

  const load = async (to: URL, { signal, from }: LoadOptions): Promise<Destination> => {
    let url = to;
    for (let count = 0; count < MAX_REDIRECTS; count++) {
      const found = find(url.pathname);
      if (found === undefined || found === 'document') {
        const page = found === undefined && site.isSinglePage ? find.notFound(url.pathname) : undefined;
        return page ? { url, loaded: await loadNotFound(page) } : { url, isDocument: true };
      }
      const { page, params } = found;
      const kept = findKept({ page, params }, from);
      const dataUrl = toDataUrl(site, url, { page, kept: kept.length });
      const [modules, answer] = await Promise.all([
        // The files of another release may be gone; its documents name those that are there.
        loadModules(page).catch(() => undefined),
        dataUrl && askFor(dataUrl, { signal, isFresh: from === undefined }),
      ]);
      signal.throwIfAborted();
      if (modules === undefined || answer?.kind === 'document') return { url, isDocument: true };
      if (answer?.kind === 'redirect') {
        const next = toRedirected(answer.location, url);
        if (typeof next === 'string')
          return { url, loaded: toFailed({ page, params, modules }, { error: new TypeError(next) }) };
        if (next.origin !== url.origin) return { url: next, isDocument: true };
        url = next;
        continue;
      }
      if (answer?.kind === 'error') {
        const notFound = answer.status === 404 ? find.notFound(url.pathname) : undefined;
        if (notFound) return { url, loaded: await loadNotFound(notFound) };
        return { url, loaded: toFailed({ page, params, modules }, answer) };
      }
      const data = modules.map((_, index) => kept[index]?.data ?? answer?.data[index]);
      return { url, loaded: { page, params, levels: toLevels(modules, data) } };
    }
    throw new TypeError(`${to.pathname} has led from one page to another ${MAX_REDIRECTS} times.`);
  };

  return {
    load,
    prefetch(url, from) {
      const found = find(url.pathname);
      if (typeof found !== 'object') return;
      const { page, params } = found;
      // A page that cannot be loaded says so when somebody goes there.
      loadModules(page).catch(() => undefined);
      const dataUrl = toDataUrl(site, url, { page, kept: findKept({ page, params }, from).length });
      if (!dataUrl) return;
      const early = prefetched.get(dataUrl.href);
      const now = performance.now();
      if (early && now - early.at < MAX_AGE_MS) return;
      prefetched.set(dataUrl.href, { answer: fetchData(dataUrl, { isFresh: true }), at: now });
    },
  };
}

/** The layouts whose data stay: those that are around both pages, with the same parameters in their paths. */
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

/** The modules of a page, and which page it is. */
interface PageParts {
  page: SitePage;
  params: Record<string, string>;
  modules: Awaited<ReturnType<typeof loadModules>>;
}

function toFailed(
  { page, params, modules }: PageParts,
  { level = modules.length - 1, error }: { level?: number | undefined; error: unknown },
): LoadedPage {
  return { page, params, levels: toLevels(modules, []), failure: { level, error } };
}

/** Where a browser would go, or what is wrong with it. */
function toRedirected(location: string, from: URL): URL | string {
  const target = new URL(location, from);
  if (/^https?:$/.test(target.protocol)) return target;
  // `javascript:` is code and no place.
  return `The loader of ${from.pathname} redirects to no web page.`;
}

async function loadNotFound(page: SitePage): Promise<LoadedPage> {
  return { page, params: {}, levels: toLevels(await loadModules(page), []) };
}
