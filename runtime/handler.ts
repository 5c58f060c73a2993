import { toDefaultHeaders } from './http/response-headers.ts';
import { createAppAnswer } from './modules/answer-app.ts';
import { createFetchAnswer } from './modules/answer-fetch.ts';
import { findCacheControl, toPrerenderedHeaders } from './modules/pages.ts';
import { createModuleLoader, toServerBuild } from './modules/server-build.ts';
import { reportTo } from './request/error-report.ts';
import type { OnError } from './request/error-report.ts';
import { HandlerContext } from './request/handler-context.ts';
import type { ContextSettings, HostContext } from './request/handler-context.ts';
import { answerWithHooks } from './request/hooks.ts';
import type { Hooks } from './request/hooks.ts';
import { toAllowedOrigins } from './request/origin.ts';
import { respond } from './request/respond.ts';
import type { Responder } from './request/respond.ts';
import { withUrl } from './request/with-url.ts';

/** The options that every adapter passes on from its user. */
export interface HandlerOptions {
  /**
   * The name of the environment, as `environment()` returns it. Default: the one of the host, otherwise `NODE_ENV`. `production` becomes `null`.
   */
  environment?: string | undefined;
  /**
   * The origins, such as `https://shop.example`, that `origin()` may take from a request's `Origin` header. Default: any.
   */
  origins?: readonly string[] | undefined;
  /**
   * Called with every error that no route handled, and with the error of every failed task and job. Default: `console.error`. The client gets a
   * 500 with only `Internal server error`, or the Response that this returns. A promise of a Response is not awaited.
   */
  onError?: OnError | undefined;
  /** Called with each request that reaches the app, before any of its code runs. */
  onRequest?: Hooks['onRequest'];
  /**
   * Called by `invalidate()` with tags and paths, for a cache in front that the host does not know, such as CloudFront or Fastly. `invalidate()`
   * waits for it, and rejects if it does. Default: nothing.
   */
  onInvalidate?: ((tags: readonly string[]) => unknown) | undefined;
  /** Called with each answer of the app, once its status and headers are known. */
  onResponse?: Hooks['onResponse'];
}

/** Answers a request, synchronously if the route does. It never throws, and its promise never rejects. */
export type Handler = (request: Request, host?: HostContext) => Response | Promise<Response>;

/** Makes a handler from a server build.
 *
 * @param build – what `dist/server/index.js` exports, or `{ fetch }`.
 * @throws TypeError or Error when the build cannot be served or an option is wrong.
 */
export function createHandler(build: unknown, options: HandlerOptions = {}): Handler {
  const serverBuild = toServerBuild(build);
  const { manifest } = serverBuild;
  const load = createModuleLoader(serverBuild);
  const origins = toAllowedOrigins(options.origins);
  const app: Responder = {
    ...(manifest.fetch ? createFetchAnswer(manifest, manifest.fetch, load) : createAppAnswer(manifest, load, origins)),
    keepsAnswers: manifest.usesCache === true || manifest.cache !== undefined,
    report: reportTo(options.onError),
  };
  const settings: ContextSettings = {
    environment: options.environment,
    basePath: manifest.base ?? '',
    origins,
    report: app.report,
    onInvalidate: options.onInvalidate,
    withUrl,
    answer: (request, host) => respond(app, new HandlerContext(request, host, settings)),
    defaultHeaders: manifest.headers && toDefaultHeaders(manifest.headers),
    prerenderedHeaders: toPrerenderedHeaders(manifest.headers),
    configuredCacheControl: findCacheControl(manifest.headers),
  };
  const { onRequest, onResponse } = options;
  if (!onRequest && !onResponse) {
    return (request, host = UNKNOWN_HOST) => respond(app, new HandlerContext(request, host, settings));
  }
  const hooks = { onRequest, onResponse, report: app.report };
  return (request, host = UNKNOWN_HOST) => {
    const context = new HandlerContext(request, host, settings);
    return answerWithHooks(context, () => respond(app, context), hooks);
  };
}

const UNKNOWN_HOST: HostContext = {};
