import type { DataRouter } from 'react-router';
import type { Href } from './register.ts';

/** What the client's navigation is bound to once the page has come to life. */
interface Navigation {
  router: DataRouter;
  prefetch: (url: URL) => void;
}

let navigation: Navigation | undefined;

/** Binds {@link router} and links to what `hydrate` has made. */
export function bindNavigation(bound: Navigation): void {
  navigation = bound;
}

/** Goes to pages from anywhere in client code. `useRouter` gives the same. */
export interface Router {
  /** Goes to a page, with a new entry in the history. */
  push(href: Href): void;
  /** Goes to a page in place of this one. */
  replace(href: Href): void;
  /** Goes back in the history. */
  back(): void;
  /** Goes forward in the history. */
  forward(): void;
  /** Loads the data of the page again. */
  refresh(): void;
}

/** Goes to pages from anywhere in client code. It throws where there is no client, as while a page is rendered on a server. */
export const router: Router = {
  push: (href) => void bound('push').navigate(href),
  replace: (href) => void bound('replace').navigate(href, { replace: true }),
  back: () => void bound('back').navigate(-1),
  forward: () => void bound('forward').navigate(1),
  refresh: () => void bound('refresh').revalidate(),
};

/** The {@link Router}, for those who like it as a hook. */
export function useRouter(): Router {
  return router;
}

/** Loads the code of a page, if the URL is one of the app. */
export function prefetchPage(href: string): void {
  if (!navigation || !URL.canParse(href, document.baseURI)) return;
  const url = new URL(href, document.baseURI);
  if (url.origin === location.origin) navigation.prefetch(url);
}

function bound(method: string): DataRouter {
  if (navigation) return navigation.router;
  throw new Error(`router.${method} was called where no page is shown yet. Call it in an event handler or an effect.`);
}
