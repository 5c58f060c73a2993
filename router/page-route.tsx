import type { ReactNode } from 'react';
import { useRevalidator, useRouteError } from 'react-router';
import type { RouteObject } from 'react-router';
import { PageTree, WithLayouts } from './page-tree.tsx';
import type { GivenError } from './document.tsx';
import type { LoadedPage } from './site.ts';

/** The id of the one route there is. */
export const PAGE_ROUTE = 'page';

/**
 * The route that is given to the routing library: one for every URL. Which page answers is decided by the matcher that the
 * server uses, so that both always agree; history, pending navigations, races and scrolling are the library's.
 */
export function toPageRoute(load: (request: Request) => Promise<LoadedPage>): RouteObject {
  return {
    id: PAGE_ROUTE,
    path: '*',
    loader: ({ request }) => load(request),
    Component: PageTree,
    ErrorBoundary: PageError,
    HydrateFallback: () => null,
  };
}

/** An error of a loader, with the page it belongs to. */
export class LoaderError extends Error {
  override name = 'LoaderError';
  readonly loaded: LoadedPage;

  constructor(cause: unknown, loaded: LoadedPage) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.loaded = loaded;
  }
}

/** The error that a page's `ErrorBoundary` is given for one on the server. */
export function toServerError({ message, status }: GivenError): Error {
  return Object.assign(new Error(message), { status });
}

function PageError(): ReactNode {
  const error = useRouteError();
  const { revalidate } = useRevalidator();
  const retry = (): void => void revalidate();
  if (!(error instanceof LoaderError)) return <DefaultError />;
  const { ErrorBoundary } = error.loaded.module;
  const content = ErrorBoundary ? <ErrorBoundary error={error.cause} retry={retry} /> : <DefaultError />;
  return <WithLayouts loaded={error.loaded} content={content} />;
}

function DefaultError(): ReactNode {
  return (
    <main>
      <h1>Something went wrong</h1>
      <p>Please try again.</p>
    </main>
  );
}
