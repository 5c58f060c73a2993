import type { Manifest, ManifestFetch } from '../manifest.ts';
import { codedError } from '../http/coded-error.ts';
import type { MergedCacheRule } from '../http/merged-cache-rule.ts';
import type { FetchContext } from '../request/fetch-context.ts';
import type { HandlerContext } from '../request/handler-context.ts';
import type { Responder } from '../request/respond.ts';
import { createCacheRules } from '../routing/cache-rules.ts';
import type { FindCacheRule } from '../routing/cache-rules.ts';
import { isDecodable, pathBelow, pathnameOf } from '../routing/pathname.ts';
import { findFetchApp } from './find-fetch-app.ts';
import { whenLoaded } from './server-build.ts';
import type { ModuleLoader } from './server-build.ts';

/** Creates the handler for code with a `fetch`. Every request reaches it, whatever its method and path. */
export function createFetchAnswer(
  { cache, usesCache = false, base = '' }: Manifest,
  { file }: ManifestFetch,
  load: ModuleLoader,
): Pick<Responder, 'answer'> {
  const cacheRule = createCacheRules(cache);
  const isNoted = usesCache || cache !== undefined;
  return {
    answer(context) {
      context.readsUnnoted = !isNoted;
      const rule = cacheRule && findRule(cacheRule, context, base);
      if (rule) context.cache(rule);
      context.source = { file, name: 'fetch' };
      return context.run(whenLoaded, load(file), callFetch, context);
    },
  };
}

function findRule(find: FindCacheRule, { request }: HandlerContext, base: string): MergedCacheRule | undefined {
  const pathname = pathBelow(base, pathnameOf(request.url));
  return pathname !== undefined && isDecodable(pathname) ? find(pathname) : undefined;
}

function callFetch(module: unknown, context: HandlerContext): unknown {
  const app = findFetchApp(module);
  if (app) return app.fetch(context.request, createFetchContext(context));
  throw codedError(
    'ERR_BUILD_INVALID',
    `${context.source.file} has no function fetch. Write: export default { fetch(request) { … } }`,
  );
}

// Its values are computed when they are read.
function createFetchContext(context: HandlerContext): FetchContext {
  return {
    waitUntil: (promise) => context.runTask(() => promise),
    get clientAddress() {
      return context.clientAddress;
    },
    get requestId() {
      return context.requestId();
    },
    get env() {
      return context.env;
    },
    get platform() {
      return context.platform;
    },
  };
}
