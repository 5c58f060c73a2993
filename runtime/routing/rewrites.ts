import { withUrl } from '../request/with-url.ts';
import { createDestination } from './destination.ts';
import type { ManifestRewrite } from '../manifest.ts';
import { searchOf } from './pathname.ts';
import { createRuleMatcher } from './rules.ts';
import { toPublicPath } from './visit.ts';
import type { Visit } from './visit.ts';

/** The visit to another path instead of this one. */
export type Rewrite = (visit: Visit) => Visit | undefined;

/** Compiles the rewrites of a manifest. Returns undefined if it has none. */
export function createRewrite(rules: readonly ManifestRewrite[] = []): Rewrite | undefined {
  if (rules.length === 0) return undefined;
  const find = createRuleMatcher(
    rules.map((rule) => ({ ...rule, to: createDestination(rule.source, rule.destination) })),
  );
  return (visit) => {
    const { request, pathname, basePath } = visit;
    const target = find(request.method, pathname)?.to(pathname, searchOf(request.url));
    if (target === undefined) return undefined;
    // Concatenated, not resolved: a mount of two slashes would be read as a host.
    const url = new URL(request.url).origin + toPublicPath(visit, target);
    const [path = target] = target.split('?', 1);
    return { request: withUrl(request, url), pathname: path, basePath };
  };
}
