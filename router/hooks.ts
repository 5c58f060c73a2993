import { use, useSyncExternalStore } from 'react';
import { withoutBase } from './base.ts';
import { findNavigator } from './navigation.ts';
import type { Navigator } from './navigator.ts';
import { useLevel, useLoadedPage } from './page-tree.tsx';
import { PlaceContext } from './place.ts';
import type { RouteParams, RoutePattern } from './register.ts';
import type { Action, Loader } from './site.ts';

/**
 * The path of the page, without query and fragment, as in the address bar: `/items/caf%C3%A9`. Like the paths for
 * `Link`, it does not contain the base of the app config.
 */
export function usePathname(): string {
  const { pathname } = usePlace('usePathname');
  return withoutBase(pathname) ?? pathname;
}

/**
 * The parameters of the page's path and of its query, decoded. A name repeated in the query becomes a list; the path
 * wins over the query. `useLocalSearchParams<'/items/[id]'>()` knows the parameters of that pattern by their types.
 */
export function useLocalSearchParams<Of extends RoutePattern | SearchParams = SearchParams>(): LocalSearchParams<Of> {
  const { params } = useLoadedPage('useLocalSearchParams');
  const query = new URLSearchParams(usePlace('useLocalSearchParams').search);
  const found: SearchParams = Object.create(null) as SearchParams;
  for (const name of query.keys()) {
    const values = query.getAll(name);
    found[name] = values.length === 1 ? values[0] : values;
  }
  return Object.assign(found, params) as LocalSearchParams<Of>;
}

/**
 * What {@link useLocalSearchParams} returns: the parameters of an app's pattern, and anything that a query may contain.
 */
export type LocalSearchParams<Of> = Of extends RoutePattern ? RouteParams<Of> & SearchParams : Of;

/** What {@link useLocalSearchParams} returns. */
export type SearchParams = Record<string, string | string[] | undefined>;

/** What the `loader` of the calling page or layout has returned: `useLoaderData<typeof loader>()`. */
export function useLoaderData<Of extends Loader<never>>(): LoaderData<Of> {
  return useLevel('useLoaderData').data as LoaderData<Of>;
}

/** The data that a loader provides to a page. It is `unknown` if the loader returns nothing but a `Response`: no type describes its JSON. */
export type LoaderData<Of extends Loader<never>> = DataOf<Awaited<ReturnType<Of>>>;

type DataOf<Returned> = [Returned] extends [never]
  ? never
  : [Exclude<Returned, Response>] extends [never]
    ? unknown
    : Exclude<Returned, Response>;

/**
 * What the `action` of the page has returned: `useActionData<typeof action>()`. `undefined` until a form has been sent,
 * and again after the page is loaded in any other way.
 */
export function useActionData<Of extends Action<never>>(): LoaderData<Of> | undefined {
  return useLoadedPage('useActionData').actionData as LoaderData<Of> | undefined;
}

/** Whether the next page is being loaded, or a form is being sent. */
export function useIsNavigating(): boolean {
  return useNavigatorState((navigator) => navigator.isNavigating());
}

/** Whether a {@link Form} is being sent, until its answer is shown. */
export function useIsSubmitting(): boolean {
  return useNavigatorState((navigator) => navigator.isSubmitting());
}

function useNavigatorState(read: (navigator: Navigator) => boolean): boolean {
  return useSyncExternalStore(
    (changed) => findNavigator()?.subscribe(changed) ?? (() => undefined),
    () => {
      const navigator = findNavigator();
      return navigator !== undefined && read(navigator);
    },
    () => false,
  );
}

/**
 * The page's location. While React hydrates what the server has rendered, it is the location that the server rendered
 * for, which may differ: HTML in a file does not know the query, and a not-found page does not know the path.
 */
function usePlace(hook: string): { pathname: string; search: string } {
  const { renderedAt } = useLoadedPage(hook);
  const place = use(PlaceContext);
  const isTakingOver = useSyncExternalStore(
    () => () => undefined,
    () => false,
    () => true,
  );
  return place && !(isTakingOver && renderedAt !== undefined) ? place : new URL(renderedAt ?? '/', 'http://localhost');
}
