import { createMatcher, isDecodable } from 'appkit-server/match';
/** Makes the look-up of a site. It ranks as the server does, API routes included. */
export function createPageFinder({ pages, documents }) {
    const match = createMatcher([
        ...pages.map((page) => ({ pattern: page.pattern, page })),
        ...documents.map((pattern) => ({ pattern })),
    ]);
    return (pathname) => {
        const found = isDecodable(pathname) ? match(pathname) : undefined;
        if (!found)
            return undefined;
        return found.entry.page ? { page: found.entry.page, params: found.params } : 'document';
    };
}
