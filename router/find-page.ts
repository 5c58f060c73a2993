import { createMatcher, isDecodable } from 'appkit-server/match';
import type { Site, SitePage } from './site.ts';

/** What answers a path: a page with its parameters, or something that only the server knows. */
export type Found = { page: SitePage; params: Record<string, string> } | 'document' | undefined;

/** Makes the look-up of a site. It decides as the server does: redirects and rewrites first, then what ranks highest. */
export function createPageFinder({
  pages,
  documents,
  rules,
}: Pick<Site, 'pages' | 'documents' | 'rules'>): (pathname: string) => Found {
  const matchRule = createMatcher(rules.map((pattern) => ({ pattern })));
  const match = createMatcher<{ pattern: string; page?: SitePage }>([
    ...pages.map((page) => ({ pattern: page.pattern, page })),
    ...documents.map((pattern) => ({ pattern })),
  ]);
  return (pathname) => {
    if (!isDecodable(pathname)) return undefined;
    if (matchRule(pathname)) return 'document';
    const found = match(pathname);
    if (!found) return undefined;
    return found.entry.page ? { page: found.entry.page, params: found.params } : 'document';
  };
}
