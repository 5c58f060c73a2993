import { StrictMode, startTransition, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router';
import type { HydrationState } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { Document, readGiven } from './document.tsx';
import type { GivenPage } from './document.tsx';
import { createPageFinder } from './find-page.ts';
import { loadOnClient } from './load-on-client.ts';
import { bindNavigation } from './navigation.ts';
import { LoaderError, PAGE_ROUTE, toPageRoute, toServerError } from './page-route.tsx';
import { loadModules } from './site.ts';
import type { LoadedPage, Site } from './site.ts';

/** How a page is brought to life. */
export interface HydrateOptions {
  /** Told of what components throw, whether or not a boundary shows it. Default: React writes it to the console. */
  onError?: (error: unknown) => void;
}

/** Brings the page that the server has rendered to life, and takes over navigation. Called by the entry of the client bundle. */
export async function hydrate(site: Site, { onError }: HydrateOptions = {}): Promise<void> {
  const { given, text } = readGiven();
  const find = createPageFinder(site);
  const initial = await loadGiven(site, given);
  const router = createBrowserRouter(
    [toPageRoute((request) => loadOnClient({ site, find }, request))],
    initial && { hydrationData: toHydrationData(initial, given.error) },
  );
  bindNavigation({
    router,
    prefetch: ({ pathname }) => {
      const found = find(pathname);
      // A page that cannot be loaded says so when somebody goes there.
      if (typeof found === 'object') loadModules(found.page).catch(() => undefined);
    },
  });
  const page = <RouterProvider router={router} />;
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <Document Html={site.Html} given={text}>
          {initial ? page : <AfterHydration>{page}</AfterHydration>}
        </Document>
      </StrictMode>,
      onError && { onCaughtError: onError, onUncaughtError: onError },
    );
  });
}

/**
 * Shows nothing until React has taken over the document. One document for every path has no page in it, and the router may have
 * found and loaded the page before React looks at the document.
 */
function AfterHydration({ children }: { children: ReactNode }): ReactNode {
  const isOver = useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
  return isOver && children;
}

/** The state of navigation in which the server has rendered the page. */
function toHydrationData(initial: LoadedPage, error: GivenPage['error']): HydrationState {
  const known = { loaderData: { [PAGE_ROUTE]: initial } };
  return error ? { ...known, errors: { [PAGE_ROUTE]: new LoaderError(toServerError(error), initial) } } : known;
}

/** The page that the server has rendered, as it was there. */
async function loadGiven(site: Site, given: GivenPage): Promise<LoadedPage | undefined> {
  const pages = given.isNotFound ? site.notFound : site.pages;
  const page = pages.find(({ pattern }) => pattern === given.pattern);
  return (
    page && { ...(await loadModules(page)), params: given.params ?? {}, data: given.data, renderedAt: given.renderedAt }
  );
}
