import type { Loader } from './site.ts';
/**
 * The path of the page, without query and fragment, as it stands in the address bar: `/items/caf%C3%A9`.
 */
export declare function usePathname(): string;
/**
 * The parameters of the page's path and of its query, decoded. A name that the query repeats has a list; the path wins
 * over the query.
 */
export declare function useLocalSearchParams<Params extends SearchParams = SearchParams>(): Params;
/** What {@link useLocalSearchParams} gives. */
export type SearchParams = Record<string, string | string[] | undefined>;
/** What the `loader` of the page has returned, after JSON: `useLoaderData<typeof loader>()`. */
export declare function useLoaderData<Of extends Loader>(): LoaderData<Of>;
/** What a loader gives a page. */
export type LoaderData<Of extends Loader> = Exclude<Awaited<ReturnType<Of>>, Response>;
/** Whether the next page is being loaded. */
export declare function useIsNavigating(): boolean;
