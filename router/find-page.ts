import { createMatcher, isDecodable } from 'appkit-server/match';
import { withoutBase } from './base.ts';
import type { Site, SitePage } from './site.ts';

/** The result for a path: a page with its parameters, or something that only the server knows. */
export type Found = { page: SitePage; params: Record<string, string> } | 'document' | undefined;

/** Looks up the pages of a site. */
export interface PageFinder {
  /**
   * Decides as the server does: redirects and rewrites first, then the highest rank. The path is a URL's, with the
   * base.
   */
  (pathname: string): Found;
  /** The `+not-found` of the folder that a path is in, or of the nearest one above. */
  notFound(pathname: string): Exclude<Found, 'document'>;
}

// No file name contains this character, so it cannot be the name of a parameter.
const BELOW = '\0';

/** Makes the look-up of a site. */
export function createPageFinder({
  pages,
  notFound,
  documents,
  rules,
}: Pick<Site, 'pages' | 'notFound' | 'documents' | 'rules'>): PageFinder {
  const matchRule = createMatcher(rules.map((pattern) => ({ pattern })));
  const match = createMatcher<{ pattern: string; page?: SitePage }>([
    ...pages.map((page) => ({ pattern: page.pattern, page })),
    ...documents.map((pattern) => ({ pattern })),
  ]);
  const matchFolder = createMatcher(
    notFound.flatMap((page) => {
      const { pattern } = page;
      return [pattern, `${pattern === '/' ? '' : pattern}/[...${BELOW}]`].map((one) => ({ pattern: one, page }));
    }),
  );
  const find = (path: string): Found => {
    const pathname = withoutBase(path);
    if (pathname === undefined) return 'document';
    if (!isDecodable(pathname)) return undefined;
    if (matchRule(pathname)) return 'document';
    const found = match(pathname);
    if (!found) return undefined;
    return found.entry.page ? { page: found.entry.page, params: found.params } : 'document';
  };
  return Object.assign(find, {
    notFound(path: string) {
      const pathname = withoutBase(path);
      const found = pathname !== undefined && isDecodable(pathname) ? matchFolder(pathname) : undefined;
      if (!found) return undefined;
      const { [BELOW]: _, ...params } = found.params;
      return { page: found.entry.page, params };
    },
  });
}
