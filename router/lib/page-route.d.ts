import type { RouteObject } from 'react-router';
import type { GivenError } from './document.tsx';
import type { LoadedPage } from './site.ts';
/** The id of the one route there is. */
export declare const PAGE_ROUTE = "page";
/**
 * The route that is given to the routing library: one for every URL. Which page answers is decided by the matcher that the
 * server uses, so that both always agree; history, pending navigations, races and scrolling are the library's.
 */
export declare function toPageRoute(load: (request: Request) => Promise<LoadedPage>): RouteObject;
/** An error of a loader, with the page it belongs to. */
export declare class LoaderError extends Error {
    name: string;
    readonly loaded: LoadedPage;
    constructor(cause: unknown, loaded: LoadedPage);
}
/** The error that a page's `ErrorBoundary` is given for one on the server. */
export declare function toServerError({ message, status }: GivenError): Error;
