import type { Manifest } from '../manifest.ts';
import { searchOf } from './pathname.ts';
import { toPublicPath } from './visit.ts';
import type { Visit } from './visit.ts';

/** How the paths of pages end. */
export type TrailingSlash = NonNullable<Manifest['trailingSlash']>;

/** The path of a page with the end that the policy asks for. The root has its slash. */
export function toCanonicalPath(pathname: string, policy: TrailingSlash | undefined): string {
  // Where a segment is empty, a slash less or more makes another path, and two at the beginning name a host.
  const isPlain = pathname !== '/' && !/^[/\\]{2}|\/\/$/.test(pathname);
  if (policy === undefined || !isPlain || pathname.endsWith('/') === (policy === 'always')) return pathname;
  return policy === 'always' ? `${pathname}/` : pathname.slice(0, -1);
}

/** Where a visit to a page is sent, with its query, when the page has another path by the policy. */
export function findCanonical(visit: Visit, policy: TrailingSlash | undefined): string | undefined {
  const path = toCanonicalPath(visit.pathname, policy);
  if (path === visit.pathname) return undefined;
  const location = toPublicPath(visit, path);
  // The mount may be of the client's making.
  return /^[/\\]{2}/.test(location) ? undefined : location + searchOf(visit.request.url);
}
