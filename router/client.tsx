import { StrictMode, startTransition, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { hydrateRoot } from 'react-dom/client';
import { arrive } from './arrive.ts';
import { setBase } from './base.ts';
import { createClientLoader } from './client-loader.ts';
import { Document, readGiven } from './document.tsx';
import type { GivenPage } from './document.tsx';
import { isOfFailedImport, noteFailedImports } from './failed-imports.ts';
import { toServerError } from './given-error.ts';
import { bindNavigation } from './navigation.ts';
import { createNavigator } from './navigator.ts';
import type { Navigator } from './navigator.ts';
import { PageTree } from './page-tree.tsx';
import { PlaceContext } from './place.ts';
import { takeOverScrolling } from './scroll.ts';
import { loadModules, toLevels } from './site.ts';
import type { LoadedPage, Site } from './site.ts';

/** How a page is hydrated. */
export interface HydrateOptions {
  /**
   * Called with errors of components, whether or not a boundary shows them. Default: React logs them to the console.
   */
  onError?: (error: unknown) => void;
}

/** Hydrates the page that the server has rendered, and takes over navigation. Called by the client bundle's entry. */
export async function hydrate(site: Site, { onError }: HydrateOptions = {}): Promise<void> {
  setBase(site);
  noteFailedImports();
  const { page, given } = readGiven();
  const initial = await loadGiven(site, page);
  const { load, prefetch, isPage } = createClientLoader(site, page.client);
  takeOverScrolling();
  const navigator = createNavigator({ load, initial });
  bindNavigation({ navigator, isPage, prefetch: (url) => prefetch(url, navigator.shown().loaded) });
  const shown = <ShownPage navigator={navigator} />;
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <Document Html={site.Html} given={given}>
          {initial ? shown : <AfterHydration>{shown}</AfterHydration>}
        </Document>
      </StrictMode>,
      onError && { onCaughtError: onError, onUncaughtError: onError },
    );
  });
}

/**
 * Follows the navigator. The current page stays until the next one is ready, except for parts that wait for a promise.
 */
function ShownPage({ navigator }: { navigator: Navigator }): ReactNode {
  const [shown, setShown] = useState(navigator.shown);
  useLayoutEffect(() => {
    const follow = (): void => setShown(navigator.shown());
    // The navigator may have moved on since this was rendered.
    follow();
    return navigator.subscribe(({ viewTransition }) => {
      if (viewTransition && 'startViewTransition' in document) document.startViewTransition(() => flushSync(follow));
      else startTransition(follow);
    });
  }, [navigator]);
  useLayoutEffect(() => {
    arrive(shown);
    // A browser has six connections to a host: parts of a page that is gone must not hold them.
    return () => navigator.endUnused();
  }, [shown, navigator]);
  return (
    shown.loaded && (
      <PlaceContext value={shown.place}>
        <PageTree
          loaded={shown.loaded}
          // The code of another release may be gone; its documents name the code that there is. Without a network, there is no document either.
          retry={(error) =>
            isOfFailedImport(error) && globalThis.navigator.onLine ? location.reload() : void navigator.refresh()
          }
        />
      </PlaceContext>
    )
  );
}

/**
 * Shows nothing until React has taken over the document. A document for every path contains no page, and the navigator
 * may have found and loaded the page before React looks at the document.
 */
function AfterHydration({ children }: { children: ReactNode }): ReactNode {
  const isOver = useSyncExternalStore(
    () => () => {},
    () => true,
    () => false,
  );
  return isOver && children;
}

/** The page as the server has rendered it. */
async function loadGiven(site: Site, given: GivenPage): Promise<LoadedPage | undefined> {
  const pages = given.isNotFound ? site.notFound : site.pages;
  const page = pages.find(({ pattern }) => pattern === given.pattern);
  if (!page) return undefined;
  const { params = {}, data = [], actionData, renderedAt, failure } = given;
  return {
    page,
    params,
    levels: toLevels(await loadModules(page), data),
    actionData,
    renderedAt,
    failure: failure && { level: failure.level, error: toServerError(failure) },
  };
}
