import { createCacheRules, createTargetMatcher, isDecodable, pathBelow, pathnameOf } from '../../runtime/host.ts';
import type { Manifest } from '../../runtime/host.ts';

/**
 * Whether the answer to a request will be kept: `never` if none of the code that makes it can call `cache()`, `likely`
 * if the code that answers the path may, and `maybe` if only code before it may, such as middleware.
 */
export type Forecast = (request: Request, basePath: string) => 'never' | 'maybe' | 'likely';

/** Creates the forecast for an app. */
export function createForecast(manifest: Manifest): Forecast {
  const match = createTargetMatcher(manifest);
  const rule = createCacheRules(manifest.cache);
  const isUsedBefore = [manifest.middleware, ...(manifest.folders ?? [])].some((one) => one?.usesCache);
  const isUsedByFetch = manifest.fetch !== undefined && manifest.usesCache === true;
  const otherwise = isUsedBefore || isUsedByFetch || manifest.rewrites ? 'maybe' : 'never';
  return ({ url, method }, basePath) => {
    const path = pathBelow(basePath, pathnameOf(url));
    if (path === undefined || !isDecodable(path)) return 'never';
    if (rule?.(path)) return 'likely';
    return match(path, method)?.entry.usesCache ? 'likely' : otherwise;
  };
}
