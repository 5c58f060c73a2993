import {
  BodyUse,
  cancelBody,
  countTasks,
  createHandler,
  createRequest,
  isDisconnect,
  isPromise,
  reportFirst,
  reportTo,
  textResponse,
  toHostRequest,
  toServerBuild,
} from '../../runtime/host.ts';
import type { Handler, HostContext, LoadableBuild } from '../../runtime/host.ts';
import { isTooLarge, limitStream, tooLargeResponse } from '../_http/body-limit.ts';
import { bodyOf } from '../_http/consumed-body.ts';
import { toServerLimits } from '../_http/options.ts';
import type { ServerOptions } from '../_http/options.ts';
import { toSentResponse } from './sent-response.ts';
import { toTelling } from './telling-stream.ts';

/** The options of an adapter, with the `build` loaded. */
export interface FetchHandlerOptions extends Omit<ServerOptions, 'build'> {
  /** What is hosted: a value for `toServerBuild`. */
  build: unknown;
  /** Puts something in front of the app. Default: nothing. */
  front?: ((app: Handler, build: LoadableBuild) => Handler) | undefined;
  /** Whether the failure of a stream, which the host reads itself, is reported. Default: it is. */
  tellsOfStreams?: boolean;
}

/** The URL a request was sent to, or `undefined` when its Host or target is invalid; the answer is then 400. */
export type ToPublicUrl<Server = unknown> = (request: Request, server: Server | undefined) => string | undefined;

/** Answers a request, with additional values from the host. */
export type FetchHandler<Server> = (
  request: Request,
  host: HostContext,
  server?: Server,
) => Response | Promise<Response>;

/**
 * Creates the handler for adapters of hosts that provide a web Request.
 *
 * @param createToPublicUrl – called once, with the number of trusted proxies.
 * @param whenRead – awaited before an answer if the route has begun to read the body but not finished. Default: nothing.
 */
export function createFetchHandler<Server = unknown>(
  options: FetchHandlerOptions,
  createToPublicUrl: (proxies: number) => ToPublicUrl<Server>,
  whenRead?: () => Promise<void>,
): FetchHandler<Server> {
  const limits = toServerLimits(options);
  const toPublicUrl = createToPublicUrl(limits.proxies);
  const { front = (app) => app, tellsOfStreams = true } = options;
  const build = toServerBuild(options.build);
  const appHandler = front(createHandler(build, options), build);
  const report = reportTo(options.onError);
  const handler = (request: Request, host: HostContext, use?: BodyUse): Response | Promise<Response> => {
    const response = appHandler(request, host);
    return isPromise(response)
      ? response.then((answer) => finish(answer, request, host, use))
      : finish(response, request, host, use);
  };
  const finish = (
    response: Response,
    request: Request,
    host: HostContext,
    use: BodyUse | undefined,
  ): Response | Promise<Response> => {
    const isReadBeside = use?.isReadBeside(response);
    // Before it is copied for its headers: only what the app has made is known to be a stream. The body of the request itself stays as it is:
    // Deno 2.9 passes on whole one of known length, but gives other code no more than its beginning (denoland/deno#36624).
    const told = tellsOfStreams && !use?.isBodyOf(response) ? tell(response, request, host) : response;
    const sent = send(told, request);
    use?.answered();
    return whenRead && isReadBeside ? whenRead().then(() => sent) : sent;
  };
  const tell = (response: Response, request: Request, host: HostContext): Response =>
    toTelling(response, (error) => {
      // Once, also if code that compresses the stream fails because of it.
      if (!isDisconnect(error, request, host)) reportFirst(report, error, request);
    });
  const send = (response: Response, request: Request): Response => {
    try {
      return toSentResponse(response);
    } catch (error) {
      report(error, request);
      cancelBody(response);
      return toSentResponse(textResponse(500, 'Internal server error'));
    }
  };
  const answerBody = (request: Request, host: HostContext): Response | Promise<Response> => {
    const counting = countTasks(host);
    const use = new BodyUse(counting.tasks);
    return handler(toHostRequest(request, report, use), counting.host, use);
  };
  return (request, host, server) => {
    const url = toPublicUrl(request, server);
    if (url === undefined) return toSentResponse(textResponse(400, 'Bad request'));
    if (!mayHaveBody(request)) return handler(toHostRequest(adjust(request, url), report), host);
    if (isTooLarge(request.headers.get('content-length'), limits.maxRequestBodySize))
      return toSentResponse(tooLargeResponse());
    return answerBody(adjustBody(request, url, limits.maxRequestBodySize), host);
  };
}

// The host's own Request if possible: it is faster than a copy.
function adjust(request: Request, url: string): Request {
  if (url === request.url) return request;
  const { method, headers, signal } = request;
  const copy = createRequest(url, { method, headers, signal, body: null, duplex: 'half' });
  // Deno makes a WebSocket of the very object that it has made.
  if (!('Deno' in globalThis) || !/^websocket$/i.test(headers.get('upgrade') ?? '')) return copy;
  return Object.defineProperties(request, { url: { value: url }, clone: { value: () => copy.clone() } });
}

function adjustBody(request: Request, url: string, limit: number): Request {
  const isUnannounced = !request.headers.has('content-length') && request.body !== null;
  if (!isUnannounced && !request.bodyUsed && url === request.url) return request;
  const { method, headers, signal } = request;
  const body = bodyOf(request);
  return createRequest(url, {
    method,
    headers,
    signal,
    body: isUnannounced && body ? limitStream(body, limit) : body,
    duplex: 'half',
  });
}

// Fetch, "new Request", step 37: the constructor would read `get` as GET, and Deno 2.9 gives such a request a body.
function mayHaveBody({ method }: Request): boolean {
  return method !== 'GET' && method !== 'HEAD' && !/^(?:get|head)$/i.test(method);
}
