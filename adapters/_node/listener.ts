import type { Readable } from 'node:stream';
import {
  countTasks,
  createHandler,
  createTaskSet,
  isDisconnect,
  isPromise,
  reportTo,
  textResponse,
  toServerBuild,
} from '../../runtime/host.ts';
import type { Handler, HostContext, JobEngine, LoadableBuild } from '../../runtime/host.ts';
import { isTooLarge, tooLargeResponse } from '../_http/body-limit.ts';
import { toServerLimits } from '../_http/options.ts';
import type { OrFetch, ServerOptions } from '../_http/options.ts';
import type { CompressResponse } from '../_compress/compress-response.ts';
import { ArrivingBody, discard } from './arriving-body.ts';
import type { NodeRequest, NodeResponse, ParsedBody } from './host-types.ts';
import { offerLightFetch } from '../_light/light-fetch.ts';
import { signalDisconnect, releaseConnection, toNativeRequest } from '../_light/light-request.ts';
import { loadBuild } from '../_build/load-build.ts';
import { createDescribeHost } from './describe-host.ts';
import { isGone, isSent } from '../_http/exchange.ts';
import { toLimitedBody } from './limited-body.ts';
import { connectJobs, withJobs } from '../_http/connect-jobs.ts';
import { fromParsedBody, toRequestBody } from './request-body.ts';
import { createToRequest, hasBody, headerOf } from './request.ts';
import type { SchemeOf } from './request.ts';
import { respond } from './respond.ts';

/** What a framework around `node:http` knows better than the message that it passes on. */
export interface FrameworkRequest {
  /** The request target as it arrived. */
  target?: string | undefined;
  /** The body, if one of the framework's parsers has already read it. */
  parsedBody?: ParsedBody | undefined;
  /** The stream with the body as sent, if something has already read the message. */
  bodySource?: Readable | undefined;
  /** What the handler knows about the host. Default: its tasks are awaited by `drain()`. */
  host?: HostContext | undefined;
}

/** Answers the requests of a Node server. */
export interface NodeListener {
  (nodeRequest: NodeRequest, nodeResponse: NodeResponse): void;
  /**
   * Resolves when no request and no task of `runTask` or `deferTask` is in progress. A shutdown awaits this promise.
   */
  drain(): Promise<void>;
}

const WITHOUT_FRAMEWORK: FrameworkRequest = {};

/** What differs between hosts. */
export interface ListenerTraits {
  /** As in `HostContext`. */
  name?: string;
  /** Runs the app's jobs. Default: nothing does. */
  jobs?: JobEngine | undefined;
  /** What the host knows about a request. Default: only what the message says. */
  readFramework?: (nodeRequest: NodeRequest, nodeResponse: NodeResponse, host: HostContext) => FrameworkRequest;
  /**
   * The scheme reported by the platform's own proxy, which is in front of every request and adds its caller to
   * `X-Forwarded-For`. Default: there is no such proxy.
   */
  schemeAtEdge?: SchemeOf | undefined;
  /** Compresses an answer if the host does not. */
  compress?: CompressResponse | undefined;
  /** Puts something in front of the app. Default: nothing. */
  front?: ((app: Handler, build: LoadableBuild) => Handler) | undefined;
}

/** Creates the listener for adapters of Node-shaped hosts. */
export function createListener(
  options: OrFetch<ServerOptions>,
  {
    name,
    jobs: engine,
    readFramework = () => WITHOUT_FRAMEWORK,
    schemeAtEdge,
    compress,
    front = (app) => app,
  }: ListenerTraits = {},
): NodeListener {
  const { proxies, maxRequestBodySize } = toServerLimits(options);
  const build = toServerBuild(loadBuild(options));
  const handler = front(createHandler(build, options), build);
  const isLight = offerLightFetch(build);
  const report = reportTo(options.onError);
  const toRequest = createToRequest(proxies, report, schemeAtEdge);
  const tasks = createTaskSet();
  const jobs = connectJobs(engine, build, options);
  const ownHost: HostContext = { name, waitUntil: tasks.waitUntil, enqueue: jobs?.enqueue, decodesFetched: true };
  const describe = createDescribeHost(ownHost, schemeAtEdge ? proxies + 1 : proxies);

  const listener = (nodeRequest: NodeRequest, nodeResponse: NodeResponse): void => {
    const { method } = nodeRequest;
    const framework = readFramework(nodeRequest, nodeResponse, ownHost);
    const { target, bodySource, host: known = ownHost } = framework;
    const hasOwnBody = hasBody(nodeRequest);
    // A parser may make a value of no body: express.json() makes {}.
    const parsedBody = hasOwnBody ? toLimitedBody(framework.parsedBody, maxRequestBodySize) : undefined;
    const host = describe(nodeRequest, nodeResponse, known);
    const counting = hasOwnBody && parsedBody === undefined ? countTasks(host) : undefined;
    const arriving =
      counting &&
      new ArrivingBody(bodySource ?? nodeRequest, maxRequestBodySize, { answer: nodeResponse, tasks: counting.tasks });
    const body = arriving ? toRequestBody(arriving) : parsedBody ? fromParsedBody(parsedBody) : null;
    const request = toRequest(nodeRequest, target, body);

    tasks.begin();
    const onClose = (): void => {
      if (isSent(nodeResponse)) {
        if (request) releaseConnection(request);
        host.release();
      } else if (request) signalDisconnect(request);
      // The rest of a body would precede the next request.
      if (nodeResponse.writableEnded) arriving?.answered();
      if (hasOwnBody && arriving?.source !== nodeRequest) discard(nodeRequest);
      tasks.end();
    };
    // Behind a slow middleware, the client may already have left, and no event will follow.
    if (isGone(nodeResponse)) onClose();
    else nodeResponse.on('close', onClose);
    // HTTP/2 emits `close` only when the request is over as well, which never happens while a body is held back. It
    // emits `finish` even for a client that leaves.
    if (arriving && 'stream' in nodeResponse) {
      nodeResponse.stream.once('finish', () => nodeResponse.writableEnded && arriving.answered());
    }

    const send = (response: Response): void => {
      try {
        respond(response, nodeResponse, method)?.catch(fail);
      } catch (error) {
        fail(error);
      }
    };
    const answer = (response: Response): void => {
      // Streams made from the body's stream, for example by tee(), begin to read a moment after they were made. Node
      // discards what is still unread at the end of the answer.
      if (arriving?.isAboutToBeRead) setImmediate(answerNow, response);
      else answerNow(response);
    };
    const answerNow = (response: Response): void => {
      const accept = (): string | undefined => headerOf(nodeRequest, 'accept-encoding');
      const compressed = compress && mayCompress(nodeResponse) ? compress(response, accept) : response;
      if (isPromise(compressed)) compressed.then(send, fail);
      else send(compressed);
    };
    // The Response cannot be sent, or its body has failed.
    const fail = (error: unknown): void => {
      if (request && !isDisconnect(error, request)) report(error, request);
      // This sends nothing if the head has been sent.
      void respond(textResponse(500, 'Internal server error'), nodeResponse, method);
    };

    if (isTooLarge(headerOf(nodeRequest, 'content-length'), maxRequestBodySize)) {
      discard(nodeRequest);
      send(tooLargeResponse());
    } else if (!request) {
      send(textResponse(400, 'Bad request'));
    } else {
      if (parsedBody !== undefined) describeParsed(request.headers, parsedBody);
      const response = handler(isLight ? request : toNativeRequest(request), counting?.host ?? host);
      if (isPromise(response)) void response.then(answer);
      else answer(response);
    }
  };
  return Object.assign(listener, { drain: withJobs(tasks.drain, jobs) });
}

/**
 * Whether nothing in front prevents this: compressing middleware has added `flush`, other middleware has set headers.
 */
function mayCompress(nodeResponse: NodeResponse): boolean {
  if ('flush' in nodeResponse || nodeResponse.hasHeader('content-encoding')) return false;
  return !/\bno-transform\b/i.test(String(nodeResponse.getHeader('cache-control') ?? ''));
}

// The headers describe the body as sent, before a parser decoded it.
function describeParsed(headers: Headers, body: ParsedBody): void {
  headers.delete('content-encoding');
  if (body instanceof Uint8Array) headers.set('content-length', String(body.byteLength));
  else headers.delete('content-length');
}
