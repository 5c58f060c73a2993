import type { Site, SitePage } from './site.ts';
/** What answers a path: a page with its parameters, or something that only the server knows. */
export type Found = {
    page: SitePage;
    params: Record<string, string>;
} | 'document' | undefined;
/** Makes the look-up of a site. It ranks as the server does, API routes included. */
export declare function createPageFinder({ pages, documents }: Pick<Site, 'pages' | 'documents'>): (pathname: string) => Found;
