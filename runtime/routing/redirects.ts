import { createDestination } from './destination.ts';
import type { ManifestRedirect } from '../manifest.ts';
import { searchOf } from './pathname.ts';
import { createRuleMatcher } from './rules.ts';
import { toPublicPath } from './visit.ts';
import type { Visit } from './visit.ts';

/** The answer to a redirected visit. */
export type Redirect = (visit: Visit) => Response | undefined;

/** Compiles the redirects of a manifest. Returns undefined if it has none. */
export function createRedirect(rules: readonly ManifestRedirect[] = []): Redirect | undefined {
  if (rules.length === 0) return undefined;
  const find = createRuleMatcher(
    rules.map((rule) => ({ ...rule, to: createDestination(rule.source, rule.destination) })),
  );
  return (visit) => {
    const { request, pathname } = visit;
    const rule = find(request.method, pathname);
    const target = rule?.to(pathname, searchOf(request.url));
    if (rule === undefined || target === undefined) return undefined;
    const location = target.startsWith('/') ? toLocalPath(toPublicPath(visit, target)) : target;
    // Both keep the method and the body, which 301 and 302 may not: RFC 9110 sections 15.4.8 and 15.4.9.
    return new Response(null, { status: rule.permanent === true ? 308 : 307, headers: { location } });
  };
}

// Two slashes would begin a host name, and a mount that is a pattern, as Express allows, is filled by the client's URL.
function toLocalPath(path: string): string {
  return path.replace(/^[/\\]{2,}/, '/');
}
