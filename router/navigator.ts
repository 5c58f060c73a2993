import { isSamePage, leadsToPart } from './same-page.ts';
import { keepScroll, keepScrollWithin } from './scroll.ts';
import type { Arrival, Place, Shown } from './shown.ts';
import type { LoadedPage } from './site.ts';

/** The result of a load: a page, or a URL to load as a document. */
export type Destination =
  /** `isOld`: its data are from before a form that it has sent. */
  { url: URL; loaded: LoadedPage; isOld?: boolean } | { url: URL; isDocument: true };

/** What a load starts from. */
export interface LoadOptions {
  signal: AbortSignal;
  /** What is shown now. Layouts that stay keep their data. Absent to load everything again. */
  from?: LoadedPage | undefined;
  /** What a form sends to the page. */
  body?: BodyInit | undefined;
  /** What is shown now, if the form is its own. */
  own?: LoadedPage | undefined;
}

/** How to go somewhere. */
export interface NavigateOptions {
  /** Replace this page in the history. Default: `false`. */
  replace?: boolean | undefined;
  /** Animate the change, where the browser can: `document.startViewTransition`. Default: `false`. */
  viewTransition?: boolean | undefined;
  /** A form goes there. Default: `false`. */
  isForm?: boolean | undefined;
}

/** Goes from page to page within one document. */
export interface Navigator {
  /** The shown page, and whether another one is being loaded. */
  shown(): Shown;
  isNavigating(): boolean;
  isSubmitting(): boolean;
  /** Calls back after either has changed. Returns a function that unsubscribes. */
  subscribe(changed: (options: { viewTransition: boolean }) => void): () => void;
  /** Goes to a URL, absolute or relative to the page. Anything but a page of the app is loaded as a document. */
  navigate(to: string, options?: NavigateOptions): Promise<void>;
  /** Sends a form to a page, and shows the page with the answer of its action. */
  submit(to: string, body: BodyInit, options?: NavigateOptions): Promise<void>;
  /** Ends the responses whose data no part of the shown page uses. Called once an earlier page is gone. */
  endUnused(): void;
  /** Loads the shown page again. */
  refresh(): Promise<void>;
}

/**
 * Makes the navigator of this document.
 *
 * @param options – `load` loads what is at a URL; `initial` is the page in the document, if there is one.
 */
export function createNavigator({
  load,
  initial,
}: {
  load: (url: URL, options: LoadOptions) => Promise<Destination>;
  initial: LoadedPage | undefined;
}): Navigator {
  let shown: Shown = { place: currentPlace(), loaded: initial };
  let going: AbortController | undefined;
  let isSubmitting = false;
  /** The URL of the pending navigation, to load it again. */
  let target: { url: URL; arrival: Arrival; options: NavigateOptions } | undefined;
  /** A form was sent, but its answer was not awaited: it may have changed data that layouts keep. */
  let isStale = false;
  /** The responses that shown pages have used. Promises may still be missing. */
  const sources = new Set<AbortController>();
  const listeners = new Set<(options: { viewTransition: boolean }) => void>();
  const end = (): void => {
    going = undefined;
    target = undefined;
    isSubmitting = false;
  };
  const stop = (): void => {
    going?.abort();
    isStale ||= isSubmitting;
  };
  const tell = (viewTransition = false): void => listeners.forEach((changed) => changed({ viewTransition }));

  const travel = async (
    to: URL,
    arrival: Arrival,
    { body, isFresh = false, ...options }: NavigateOptions & Pick<LoadOptions, 'body'> & { isFresh?: boolean } = {},
  ): Promise<void> => {
    stop();
    const loading = (going = new AbortController());
    isSubmitting = body !== undefined;
    target = { url: to, arrival, options };
    tell();
    // A link to the current page reloads it, as in a browser.
    const isSame = arrival === 'refresh' || (arrival !== 'pop' && to.href === location.href);
    const isAgain = isSame || isFresh || isStale || body !== undefined;
    const from = isAgain ? undefined : shown.loaded;
    const own = body !== undefined && isSamePage(to, shown.place) && !shown.loaded?.failure ? shown.loaded : undefined;
    let destination: Destination;
    try {
      destination = await load(to, { signal: loading.signal, from, body, own });
    } catch (error) {
      if (loading.signal.aborted) return;
      end();
      tell();
      throw error;
    }
    if (loading.signal.aborted) return;
    end();
    const isElsewhere = destination.url.href !== to.href;
    const entered = isElsewhere ? toFinalArrival(arrival, { body, replace: options.replace }) : arrival;
    if ('isDocument' in destination) {
      // It may be a download, or another origin from which the visitor returns to this very document.
      tell();
      return leave(destination.url, entered);
    }
    if (isAgain) isStale = destination.isOld ?? false;
    keepScroll(shown.place.key);
    const isSamePath = destination.url.pathname === shown.place.pathname;
    shown = {
      place: enter(destination.url, entered),
      loaded: destination.loaded,
      arrival,
      isSamePath,
      isForm: options.isForm,
    };
    for (const source of listSources(shown)) sources.add(source);
    tell(options.viewTransition);
  };

  let latest = Promise.resolve();
  const go = (...args: Parameters<typeof travel>): Promise<void> => (latest = travel(...args));
  /** Resolves when nothing is being loaded. A failure is left to whoever has asked for that load. */
  const whenSettled = async (): Promise<void> => {
    if (!going) return;
    await latest.catch(() => undefined);
    await whenSettled();
  };

  /** Follows the browser to another part of the shown page. */
  const goWithin = (): void => {
    stop();
    end();
    keepScrollWithin(shown.place.key);
    const place = currentPlace();
    // Within one entry the browser itself has scrolled; the entry's last position is the one that the visitor leaves.
    const arrival = place.key === shown.place.key ? 'refresh' : 'pop';
    shown = { loaded: shown.loaded, place, arrival, isSamePath: true };
    tell();
  };

  addEventListener('popstate', () => {
    const url = new URL(location.href);
    if (isSamePage(url, shown.place) && shown.loaded) goWithin();
    else void go(url, 'pop');
  });
  addEventListener('pagehide', () => keepScroll(shown.place.key));
  if (!initial) void go(new URL(location.href), 'replace');

  return {
    shown: () => shown,
    isNavigating: () => going !== undefined,
    isSubmitting: () => isSubmitting,
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    async navigate(to, options = {}) {
      const url = new URL(to, document.baseURI);
      const arrival = options.replace || url.href === location.href ? 'replace' : 'push';
      if (leadsToPart(url)) goToPart(url, arrival);
      else if (url.origin !== location.origin) leave(url, arrival);
      else await go(url, arrival, options);
    },
    async submit(to, body, options = {}) {
      const url = new URL(to, document.baseURI);
      url.hash = '';
      // A page's answer to its own form is not a new entry in the history.
      const isOwn = isSamePage(url, shown.place);
      await go(url, options.replace || isOwn ? 'replace' : 'push', { ...options, body, isForm: true });
    },
    endUnused() {
      const used = new Set(listSources(shown));
      for (const source of sources) {
        if (used.has(source)) continue;
        source.abort();
        sources.delete(source);
      }
    },
    async refresh() {
      // The answer to a form brings all data.
      if (!isSubmitting) {
        await (target
          ? go(target.url, target.arrival, { ...target.options, isFresh: true })
          : go(new URL(location.href), 'refresh'));
      }
      // So does what has taken its place.
      await whenSettled();
    },
  };
}

/** The responses whose data a page uses. */
function listSources({ loaded }: Shown): AbortController[] {
  const sources = [...(loaded?.levels.map(({ source }) => source) ?? []), loaded?.actionSource];
  return sources.filter((source) => source !== undefined);
}

/** Unless told not to, a form adds an entry to the history, as in a browser. The buttons of the browser do not. */
function toFinalArrival(
  arrival: Arrival,
  { body, replace }: Pick<LoadOptions, 'body'> & Pick<NavigateOptions, 'replace'>,
): Arrival {
  if (body !== undefined && !replace) return 'push';
  return arrival === 'push' ? 'push' : 'replace';
}

/**
 * The location of the current entry. An entry made by the browser itself, such as for a link to a fragment, gets a
 * name.
 */
function currentPlace(): Place {
  const { pathname, search, hash } = location;
  const state = history.state as { key?: unknown } | null;
  if (typeof state?.key === 'string') return { pathname, search, hash, key: state.key };
  const key = createKey();
  history.replaceState({ ...state, key }, '');
  return { pathname, search, hash, key };
}

/** The name of a new entry. A page that is reached by plain HTTP has no `crypto.randomUUID`. */
function createKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}

/** Makes a URL the current entry of the history. */
function enter({ href }: URL, arrival: Arrival): Place {
  if (arrival === 'push') history.pushState({ key: createKey() }, '', href);
  if (arrival === 'replace') history.replaceState(history.state, '', href);
  return currentPlace();
}

/** Makes the browser load a document. It does not go to `javascript:`, which is code, not a place. */
function leave(url: URL, arrival: Arrival): void {
  if (url.protocol === 'javascript:') throw new TypeError('A URL with javascript: is code, and no page to go to.');
  // Otherwise the browser would only scroll to that part.
  if (leadsToPart(url)) enter(url, arrival);
  if (url.href === location.href) location.reload();
  else if (arrival === 'push') location.assign(url);
  else location.replace(url);
}

/**
 * Makes the browser go to a part of the page. The entry is added here: while the document is still loading,
 * `location.assign` replaces one unless the user has acted (HTML Standard, 7.2.4).
 */
function goToPart(url: URL, arrival: Arrival): void {
  if (arrival === 'push') history.pushState({ key: createKey() }, '', location.href);
  const { state } = history;
  location.replace(url);
  // Firefox drops it where the URL stays the same.
  if (history.state === null) history.replaceState(state, '');
}
