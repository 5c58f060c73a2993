import { useSyncExternalStore } from 'react';
import { useLocation, useNavigation } from 'react-router';
import { useLoadedPage } from './page-tree.js';
/**
 * The path of the page, without query and fragment, as it stands in the address bar: `/items/caf%C3%A9`.
 */
export function usePathname() {
    return usePlace('usePathname').pathname;
}
/**
 * The parameters of the page's path and of its query, decoded. A name that the query repeats has a list; the path wins
 * over the query.
 */
export function useLocalSearchParams() {
    const { params } = useLoadedPage('useLocalSearchParams');
    const query = new URLSearchParams(usePlace('useLocalSearchParams').search);
    const found = Object.create(null);
    for (const name of query.keys()) {
        const values = query.getAll(name);
        found[name] = values.length === 1 ? values[0] : values;
    }
    return Object.assign(found, params);
}
/** What the `loader` of the page has returned, after JSON: `useLoaderData<typeof loader>()`. */
export function useLoaderData() {
    return useLoadedPage('useLoaderData').data;
}
/** Whether the next page is being loaded. */
export function useIsNavigating() {
    return useNavigation().state !== 'idle';
}
/**
 * Where the page is: while React takes over what the server has rendered, where that was, which may be elsewhere. HTML in a file
 * knows no query, and that of a page which was not found no path.
 */
function usePlace(hook) {
    const { renderedAt } = useLoadedPage(hook);
    const location = useLocation();
    const isTakingOver = useSyncExternalStore(() => () => undefined, () => false, () => true);
    return isTakingOver && renderedAt !== undefined ? new URL(renderedAt, 'http://localhost') : location;
}
