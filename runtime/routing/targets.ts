import type { Manifest, ManifestRoute } from '../manifest.ts';
import { createMatcher } from './match.ts';
import type { Match } from './match.ts';
import { toPage } from '../modules/pages.ts';
import type { Page } from '../modules/pages.ts';
import { parsePattern } from './pattern.ts';

/** What answers a path: an API route, or a page. */
export type Target = ApiRoute | Page;

/** An API route of the manifest. */
export interface ApiRoute extends ManifestRoute {
  kind?: undefined;
  /** A page of the same pattern answers GET and HEAD. */
  isBesidePage?: boolean;
}

/** Whether a page answers a method. */
export function isForPages(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Finds what answers a method at a path that can be decoded. */
export type TargetMatcher = (pathname: string, method: string) => Match<Target> | undefined;

/**
 * Ranks pages and API routes together. Of a page and a route with the same pattern the page answers GET and HEAD, and the
 * route the rest.
 */
export function createTargetMatcher({ routes, pages = [] }: Pick<Manifest, 'routes' | 'pages'>): TargetMatcher {
  if (pages.length === 0) return createMatcher<Target>(routes);
  const ofPages = new Set(pages.map(toKey));
  const ofRoutes = new Set(routes.map(toKey));
  const ready = pages.map(toPage);
  const forPages = createMatcher<Target>([...ready, ...routes.filter((route) => !ofPages.has(toKey(route)))]);
  const forRoutes = createMatcher<Target>([
    ...ready.filter((page) => !ofRoutes.has(toKey(page))),
    ...routes.map((route) => (ofPages.has(toKey(route)) ? { ...route, isBesidePage: true } : route)),
  ]);
  return (pathname, method) => (isForPages(method) ? forPages : forRoutes)(pathname);
}

/** The same for patterns that fit the same paths: what parameters are called makes no difference. */
function toKey({ pattern }: { pattern: string }): string {
  return parsePattern(pattern)
    .map((segment) => (segment.kind === 'static' ? `=${segment.text}` : segment.kind))
    .join('/');
}
