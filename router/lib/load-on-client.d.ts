import type { createPageFinder } from './find-page.ts';
import type { LoadedPage, Site } from './site.ts';
/**
 * Loads a page that the client goes to: its modules, and its data from the server at the same time.
 *
 * @throws Response that sends the document there when the URL is no page.
 */
export declare function loadOnClient({ site, find }: {
    site: Site;
    find: ReturnType<typeof createPageFinder>;
}, request: Request): Promise<LoadedPage>;
