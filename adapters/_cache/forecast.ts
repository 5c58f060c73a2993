import { createCacheRules, createTargetMatcher, isDecodable, pathBelow, pathnameOf } from '../../runtime/host.ts';
import type { Manifest } from '../../runtime/host.ts';

/**
 * Whether the answer to a request will be kept: `never` when nothing that makes it can ask for that, `likely` when what answers the path
 * may, and `maybe` when only something on the way there may.
 */
export type Forecast = (request: Request, basePath: string | undefined) => 'never' | 'maybe' | 'likely';

/** Makes the forecast of an app. */
export function createForecast(manifest: Manifest): Forecast {
  const match = createTargetMatcher(manifest);
  const rule = createCacheRules(manifest.cache);
  const otherwise = manifest.middleware?.usesCache || manifest.rewrites ? 'maybe' : 'never';
  return ({ url, method }, basePath = '') => {
    const path = pathBelow(basePath, pathnameOf(url));
    if (path === undefined || !isDecodable(path)) return 'never';
    if (rule?.(path)) return 'likely';
    return match(path, method)?.entry.usesCache ? 'likely' : otherwise;
  };
}
