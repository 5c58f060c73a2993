import { cancelBody, createHandler, createTaskSet, reportTo, textResponse, toServerBuild } from '../../runtime/host.ts';
import { tooLargeResponse } from '../_http/body-limit.ts';
import { toServerLimits } from '../_http/options.ts';
import { createCompressResponse } from '../_compress/compress-response.ts';
import type { CompressOptions, JobOptions, OrFetch, ServerOptions } from '../_http/options.ts';
import { toHeaderList } from '../_http/header-list.ts';
import { createOriginFinder } from '../_http/public-origin.ts';
import { connectJobs } from '../_http/connect-jobs.ts';
import { lengthOfWhole, takeWholeResponse } from '../_light/light-response.ts';
import { offerLightFetch } from '../_light/light-fetch.ts';
import { createLightRequest, releaseConnection, toNativeRequest } from '../_light/light-request.ts';
import { loadBuild } from '../_build/load-build.ts';
import { drainInTime } from './drain-in-time.ts';
import type { Incoming } from './incoming.ts';
import { toBody, toRequest } from './request.ts';

/** How a Response is passed to Lambda. */
export interface Sender<Result> {
  /** Passes the Response to Lambda; rejects if its body fails. */
  send(response: Response, method: string): Promise<Result>;
  /** Whether the head has already been sent, so that another answer is impossible. */
  readonly headSent: boolean;
}

/** The options of both forms. */
export interface LambdaOptions extends ServerOptions, CompressOptions, JobOptions {
  /**
   * The files of `dist/client`. The function serves them before its routes: `createStaticFiles('dist/client')` of
   * `appkit-server/static`. Not below the stage of an API. Default: none, since something in front serves them.
   */
  files?: { fetch(request: Request): Promise<Response> | undefined } | undefined;
}

/**
 * Answers one request. The platform is what `fetch` receives as `platform`: the event and the context of the function.
 */
export type Invoke = <Result>(
  incoming: Incoming,
  sender: Sender<Result>,
  platform: { event: unknown; context: unknown },
) => Promise<Result>;

/** Creates the common part of both forms of the function. */
export function createInvoke(options: OrFetch<LambdaOptions>): Invoke {
  const limits = toServerLimits(options);
  const compress = createCompressResponse(options, { lengthOf: lengthOfWhole, take: takeWholeResponse });
  const build = toServerBuild(loadBuild(options));
  const handler = createHandler(build, options);
  const jobs = connectJobs(options.jobs, build, options);
  const isLight = offerLightFetch(build);
  const report = reportTo(options.onError);
  const origins = createOriginFinder(limits.proxies);

  return async (incoming, sender, platform) => {
    const { basePath, method, requestId } = incoming;
    const body = toBody(incoming);
    if (body && body.byteLength > limits.maxRequestBodySize) return sender.send(tooLargeResponse(), method);
    const request = toRequest(incoming, { body, origins, report });
    if (!request) return sender.send(textResponse(400, 'Bad request'), method);

    const file = basePath === '' ? options.files?.fetch(compress ? request : withoutCodings(request)) : undefined;
    if (file) return sender.send(await file, method);

    const tasks = createTaskSet();
    const host = {
      name: 'AWS Lambda',
      waitUntil: tasks.waitUntil,
      enqueue: jobs?.enqueue,
      decodesFetched: true,
      basePath,
      requestId,
      platform,
      get clientAddress() {
        return incoming.findClientAddress(limits.proxies);
      },
    };
    const response = await handler(isLight ? request : toNativeRequest(request), host);
    try {
      const accept = (): string | null | undefined => incoming.headers['accept-encoding'];
      const compressed = await compress?.(response, accept);
      return await sender.send(compressed ?? response, method);
    } catch (error) {
      report(error, request);
      cancelBody(response);
      // The runtime breaks off such an answer. Destroying its stream would end the whole process (aws-lambda-ric 4.0).
      if (sender.headSent) throw new Error('A response failed after its head was sent.', { cause: error });
      return await sender.send(textResponse(500, 'Internal server error'), method);
    } finally {
      // Lambda freezes the process when the invocation ends.
      await drainInTime(tasks, platform.context).catch((error: unknown) => report(error, request));
      releaseConnection(request);
    }
  };
}

/** For files available in several codings. */
function withoutCodings({ method, url, headers }: Request): Request {
  const own = new Headers(headers);
  own.delete('accept-encoding');
  return createLightRequest({ method, url, headers: toHeaderList(own), body: null });
}
