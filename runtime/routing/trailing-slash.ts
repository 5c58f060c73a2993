import type { Manifest } from '../manifest.ts';
import { searchOf } from './pathname.ts';
import { toPublicPath } from './visit.ts';
import type { Visit } from './visit.ts';

/** The policy for the end of pages' paths. */
export type TrailingSlash = NonNullable<Manifest['trailingSlash']>;

/** The path of a page with the end that the policy requires. The root keeps its slash. */
export function toCanonicalPath(pathname: string, policy: TrailingSlash | undefined): string {
  // If a segment is empty, removing or adding a slash makes a different path, and two slashes at the start name a host.
  const isPlain = pathname !== '/' && !/^[/\\]{2}|\/\/$/.test(pathname);
  if (policy === undefined || !isPlain || pathname.endsWith('/') === (policy === 'always')) return pathname;
  return policy === 'always' ? `${pathname}/` : pathname.slice(0, -1);
}

/** The target of the redirect, with the query, for a visit to a page whose path violates the policy. */
export function findCanonical(visit: Visit, policy: TrailingSlash | undefined): string | undefined {
  const path = toCanonicalPath(visit.pathname, policy);
  if (path === visit.pathname) return undefined;
  const location = toPublicPath(visit, path);
  // Two slashes would begin a host name, and a mount that is a pattern is filled by the client's URL.
  return /^[/\\]{2}/.test(location) ? undefined : location + searchOf(visit.request.url);
}
