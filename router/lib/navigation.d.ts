import type { DataRouter } from 'react-router';
/** What the client's navigation is bound to once the page has come to life. */
interface Navigation {
    router: DataRouter;
    prefetch: (url: URL) => void;
}
/** Binds {@link router} and links to what `hydrate` has made. */
export declare function bindNavigation(bound: Navigation): void;
/** Goes to pages from anywhere in client code. `useRouter` gives the same. */
export interface Router {
    /** Goes to a page, with a new entry in the history. */
    push(href: string): void;
    /** Goes to a page in place of this one. */
    replace(href: string): void;
    /** Goes back in the history. */
    back(): void;
    /** Goes forward in the history. */
    forward(): void;
    /** Loads the data of the page again. */
    refresh(): void;
}
/** Goes to pages from anywhere in client code. It throws where there is no client, as while a page is rendered on a server. */
export declare const router: Router;
/** The {@link Router}, for those who like it as a hook. */
export declare function useRouter(): Router;
/** Loads the code of a page, if the URL is one of the app. */
export declare function prefetchPage(href: string): void;
export {};
