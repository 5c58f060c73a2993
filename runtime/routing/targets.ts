import type { Manifest, ManifestRoute } from '../manifest.ts';
import { createMatcher } from './match.ts';
import type { Match } from './match.ts';
import { toPage } from '../modules/pages.ts';
import type { Page } from '../modules/pages.ts';
import { parsePattern } from './pattern.ts';

/** The target of a path: an API route, or a page. */
export type Target = ApiRoute | Page;

/** An API route of the manifest. */
export interface ApiRoute extends ManifestRoute {
  kind?: undefined;
  /** The page of the same pattern. The route does not get the methods that the page answers. */
  page?: Page;
}

/** Whether a page answers a method. */
export function isForPages(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Whether this page answers a method. */
export function answersMethod({ hasAction }: Page, method: string): boolean {
  return isForPages(method) || (hasAction && method === 'POST');
}

/** Finds what answers a method at a path that can be decoded. */
export type TargetMatcher = (pathname: string, method: string) => Match<Target> | undefined;

/**
 * Ranks pages and API routes together. If a page and a route have the same pattern, the page answers GET, HEAD and the POST of its action, and
 * the route answers the rest.
 */
export function createTargetMatcher({ routes, pages = [] }: Pick<Manifest, 'routes' | 'pages'>): TargetMatcher {
  if (pages.length === 0) return createMatcher<Target>(routes);
  const ready = pages.map(toPage);
  const pageOf = new Map(ready.map((page) => [toKey(page), page]));
  const withPages = routes.map((route): ApiRoute => {
    const page = pageOf.get(toKey(route));
    return page ? { ...route, page } : route;
  });
  // The later of two entries with the same pattern takes its place.
  const toMatcher = (method: string): ((pathname: string) => Match<Target> | undefined) =>
    createMatcher<Target>([...ready, ...withPages.filter(({ page }) => !page || !answersMethod(page, method))]);
  const forPages = toMatcher('GET');
  const forRoutes = toMatcher('PUT');
  const forActions = ready.some(({ hasAction }) => hasAction) ? toMatcher('POST') : forRoutes;
  return (pathname, method) => (isForPages(method) ? forPages : method === 'POST' ? forActions : forRoutes)(pathname);
}

/** A key that is equal for patterns that fit the same paths: the names of parameters do not matter. */
function toKey({ pattern }: { pattern: string }): string {
  return parsePattern(pattern)
    .map((segment) => (segment.kind === 'static' ? `=${segment.text}` : segment.kind))
    .join('/');
}
