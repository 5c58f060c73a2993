import type { ReactNode } from 'react';
import type { Site } from './site.ts';
/** What the server has rendered. */
export interface GivenPage {
    /** The pattern of the page; absent when the client has to find it, as with one HTML file for every URL. */
    pattern?: string;
    /** It is a `+not-found` page. */
    isNotFound?: boolean;
    params?: Record<string, string>;
    data?: unknown;
    /** The path and query it was rendered for, which the address bar may have another of: HTML of a file has no query. */
    renderedAt?: string;
    /** The loader has failed, and the page's own `ErrorBoundary` is shown. */
    error?: GivenError;
}
/** What the client is told of an error on the server. */
export interface GivenError {
    message: string;
    status: number;
}
/** The whole document: the same on the server and on the client, so that React can take over what is there. */
export declare function Document({ Html, given, children, }: Pick<Site, 'Html'> & {
    given: string;
    children: ReactNode;
}): ReactNode;
/** Writes JSON that can stand in a `script` element: `<` could end it. */
export declare function writeGiven(given: GivenPage): string;
/** Reads what {@link writeGiven} has written, as text and as what it says. */
export declare function readGiven(): {
    given: GivenPage;
    text: string;
};
