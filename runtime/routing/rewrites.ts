import { createRequest } from '../request/create-request.ts';
import { headerReadsOf, unnoticed } from '../request/header-reads.ts';
import { trackHeaderReads } from '../request/track-headers.ts';
import type { RequestInitOfHost } from '../request/create-request.ts';
import { createDestination } from './destination.ts';
import type { ManifestRewrite } from '../manifest.ts';
import { searchOf } from './pathname.ts';
import { createRuleMatcher } from './rules.ts';
import { toPublicPath } from './visit.ts';
import type { Visit } from './visit.ts';

/** The visit of another path in place of this one. */
export type Rewrite = (visit: Visit) => Visit | undefined;

/** Compiles the rewrites of a manifest. Nothing when it has none. */
export function createRewrite(rules: readonly ManifestRewrite[] = []): Rewrite | undefined {
  if (rules.length === 0) return undefined;
  const find = createRuleMatcher(
    rules.map((rule) => ({ ...rule, to: createDestination(rule.source, rule.destination) })),
  );
  return (visit) => {
    const { request, pathname, basePath } = visit;
    const target = find(request.method, pathname)?.to(pathname, searchOf(request.url));
    if (target === undefined) return undefined;
    // Put together, not resolved: a mount of two slashes would be a host.
    const url = new URL(request.url).origin + toPublicPath(visit, target);
    const [path = target] = target.split('?', 1);
    return { request: withUrl(request, url), pathname: path, basePath };
  };
}

function withUrl(request: Request, url: string): Request {
  const { method, headers, body, signal } = request;
  const init: RequestInitOfHost = { method, headers, body, signal, duplex: 'half' };
  const rewritten = unnoticed(request, () => createRequest(url, init));
  const reads = headerReadsOf(request);
  if (reads) trackHeaderReads(rewritten, reads);
  // Its own would follow the first one only as long as nobody has collected that (nodejs/undici#3644).
  return Object.defineProperty(rewritten, 'signal', { get: () => request.signal });
}
