import { createMatcher, isDecodable } from 'appkit-server/match';
import type { Site, SitePage } from './site.ts';

/** What answers a path: a page with its parameters, or something that only the server knows. */
export type Found = { page: SitePage; params: Record<string, string> } | 'document' | undefined;

/** Makes the look-up of a site. It ranks as the server does, API routes included. */
export function createPageFinder({ pages, documents }: Pick<Site, 'pages' | 'documents'>): (pathname: string) => Found {
  const match = createMatcher<{ pattern: string; page?: SitePage }>([
    ...pages.map((page) => ({ pattern: page.pattern, page })),
    ...documents.map((pattern) => ({ pattern })),
  ]);
  return (pathname) => {
    const found = isDecodable(pathname) ? match(pathname) : undefined;
    if (!found) return undefined;
    return found.entry.page ? { page: found.entry.page, params: found.params } : 'document';
  };
}
