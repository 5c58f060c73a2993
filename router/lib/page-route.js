import { jsx as _jsx, jsxs as _jsxs } from "react/jsx-runtime";
import { useRevalidator, useRouteError } from 'react-router';
import { PageTree, WithLayouts } from './page-tree.js';
/** The id of the one route there is. */
export const PAGE_ROUTE = 'page';
/**
 * The route that is given to the routing library: one for every URL. Which page answers is decided by the matcher that the
 * server uses, so that both always agree; history, pending navigations, races and scrolling are the library's.
 */
export function toPageRoute(load) {
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
    name = 'LoaderError';
    loaded;
    constructor(cause, loaded) {
        super(cause instanceof Error ? cause.message : String(cause), { cause });
        this.loaded = loaded;
    }
}
/** The error that a page's `ErrorBoundary` is given for one on the server. */
export function toServerError({ message, status }) {
    return Object.assign(new Error(message), { status });
}
function PageError() {
    const error = useRouteError();
    const { revalidate } = useRevalidator();
    const retry = () => void revalidate();
    if (!(error instanceof LoaderError))
        return _jsx(DefaultError, {});
    const { ErrorBoundary } = error.loaded.module;
    const content = ErrorBoundary ? _jsx(ErrorBoundary, { error: error.cause, retry: retry }) : _jsx(DefaultError, {});
    return _jsx(WithLayouts, { loaded: error.loaded, content: content });
}
function DefaultError() {
    return (_jsxs("main", { children: [_jsx("h1", { children: "Something went wrong" }), _jsx("p", { children: "Please try again." })] }));
}
