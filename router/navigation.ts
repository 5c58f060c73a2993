import { withBase } from './base.ts';
import type { NavigateOptions, Navigator } from './navigator.ts';
import type { Href } from './register.ts';

/** The functions that the client's navigation uses once the page is hydrated. */
interface Navigation {
  navigator: Navigator;
  prefetch: (url: URL) => void;
  /** Whether a page of the app answers this URL. `hasAction`: whether it also accepts forms. */
  isPage: (url: URL, options: { hasAction: boolean }) => boolean;
}

let navigation: Navigation | undefined;

/** Binds {@link router} and links to the navigation that `hydrate` has created. */
export function bindNavigation(bound: Navigation): void {
  navigation = bound;
}

/** How {@link Router.push} and {@link Router.replace} show the next page. */
export type GoOptions = Pick<NavigateOptions, 'viewTransition'>;

/** Goes to pages from anywhere in client code. `useRouter` returns the same object. */
export interface Router {
  /** Goes to a page, with a new entry in the history. */
  push(href: Href, options?: GoOptions): void;
  /** Replaces this page in the history by another. */
  replace(href: Href, options?: GoOptions): void;
  /** Goes back in the history. */
  back(): void;
  /** Goes forward in the history. */
  forward(): void;
  /**
   * Loads the data of the page and of its layouts again.
   *
   * @returns what resolves once the data has arrived, also if another refresh, a form or a navigation has taken its
   * place. An action of `startTransition` that awaits it keeps what `useOptimistic` shows until then.
   */
  refresh(): Promise<void>;
}

/** Goes to pages from anywhere in client code. It throws without a client, such as while a server renders a page. */
export const router: Router = {
  push: (href, options) => void bound('push').navigate(withBase(href), options),
  replace: (href, options) => void bound('replace').navigate(withBase(href), { ...options, replace: true }),
  back: () => (bound('back'), history.back()),
  forward: () => (bound('forward'), history.forward()),
  refresh: () => bound('refresh').refresh(),
};

/** The {@link Router}, as a hook. */
export function useRouter(): Router {
  return router;
}

/** The navigator of this document. `undefined` on a server, and until the page is hydrated. */
export function findNavigator(): Navigator | undefined {
  return navigation?.navigator;
}

/** Whether a page of the app answers this same-origin URL. `hasAction`: whether it also accepts forms. */
export function isPage(url: URL, options: { hasAction: boolean }): boolean {
  return navigation?.isPage(url, options) ?? false;
}

/** Loads the code and the data of the page that a link leads to, if it belongs to the app. */
export function prefetchPage({ origin, href }: HTMLAnchorElement): void {
  if (origin === location.origin) navigation?.prefetch(new URL(href));
}

function bound(method: string): Navigator {
  if (navigation) return navigation.navigator;
  throw new Error(`router.${method} was called where no page is shown yet. Call it in an event handler or an effect.`);
}
