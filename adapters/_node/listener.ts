import type { Readable } from 'node:stream';
import {
  countTasks,
  createHandler,
  createTaskSet,
  isPromise,
  reportTo,
  textResponse,
  toServerBuild,
} from '../../runtime/host.ts';
import type { Handler, HostContext, LoadableBuild } from '../../runtime/host.ts';
import { isTooLarge, tooLargeResponse } from '../_http/body-limit.ts';
import { toServerLimits } from '../_http/options.ts';
import type { ServerOptions } from '../_http/options.ts';
import type { CompressResponse } from '../_compress/compress-response.ts';
import { ArrivingBody, discard } from './arriving-body.ts';
import type { NodeRequest, NodeResponse, ParsedBody } from './host-types.ts';
import { offerLightFetch } from '../_light/light-fetch.ts';
import { signalDisconnect, releaseConnection, toNativeRequest } from '../_light/light-request.ts';
import { loadBuild } from '../_build/load-build.ts';
import { fromParsedBody, toRequestBody } from './request-body.ts';
import { createToRequest, hasBody, headerOf } from './request.ts';
import { respond } from './respond.ts';

/** What a framework around `node:http` knows better than the message it hands on. */
export interface FrameworkRequest {
  /** The request target as it arrived. */
  target?: string | undefined;
  /** The body, when a parser of the framework has read it already. */
  parsedBody?: ParsedBody | undefined;
  /** Where the body as it was sent is now, when something has read it off the message. */
  bodySource?: Readable | undefined;
  /** What the handler knows about the host. Default: the tasks are those that `drain()` awaits. */
  host?: HostContext | undefined;
}

/** Answers the requests of a Node server. */
export interface NodeListener {
  (nodeRequest: NodeRequest, nodeResponse: NodeResponse): void;
  /** Resolves when no request and no task of `runTask` or `deferTask` is in progress any more. For a shutdown to await. */
  drain(): Promise<void>;
}

const WITHOUT_FRAMEWORK: FrameworkRequest = {};

/** What is peculiar to a host. */
export interface ListenerTraits {
  /** What it knows of a request. Default: no more than the message says. */
  readFramework?: (nodeRequest: NodeRequest, nodeResponse: NodeResponse, host: HostContext) => FrameworkRequest;
  /** Compresses an answer, where the host does not. */
  compress?: CompressResponse | undefined;
  /** Puts something in front of the app. Default: nothing. */
  front?: ((app: Handler, build: LoadableBuild) => Handler) | undefined;
}

/** Makes the listener that the adapters of Node-shaped hosts are made of. */
export function createListener(
  options: ServerOptions,
  { readFramework = () => WITHOUT_FRAMEWORK, compress, front = (app) => app }: ListenerTraits = {},
): NodeListener {
  const { proxies, maxRequestBodySize } = toServerLimits(options);
  const build = toServerBuild(loadBuild(options.build));
  const handler = front(createHandler(build, options), build);
  const isLight = offerLightFetch(build);
  const report = reportTo(options.onError);
  const toRequest = createToRequest(proxies, report);
  const tasks = createTaskSet();
  const ownHost: HostContext = { waitUntil: tasks.waitUntil, decodesFetched: true };

  const listener = (nodeRequest: NodeRequest, nodeResponse: NodeResponse): void => {
    const { method } = nodeRequest;
    const { target, parsedBody, bodySource, host = ownHost } = readFramework(nodeRequest, nodeResponse, ownHost);
    const hasOwnBody = hasBody(nodeRequest);
    const counting = hasOwnBody && parsedBody === undefined ? countTasks(host) : undefined;
    const arriving =
      counting &&
      new ArrivingBody(bodySource ?? nodeRequest, maxRequestBodySize, { answer: nodeResponse, tasks: counting.tasks });
    const body = arriving ? toRequestBody(arriving) : hasOwnBody && parsedBody ? fromParsedBody(parsedBody) : null;
    const request = toRequest(nodeRequest, target, body);

    tasks.begin();
    const onClose = (): void => {
      if (request && nodeResponse.writableFinished) releaseConnection(request);
      else if (request) signalDisconnect(request);
      // What is left of a body would stand in front of the next request.
      if (nodeResponse.writableEnded) arriving?.answered();
      if (hasOwnBody && arriving?.source !== nodeRequest) discard(nodeRequest);
      tasks.end();
    };
    // Behind a slow middleware the client may have left already, and nothing will say so again.
    if (nodeResponse.destroyed) onClose();
    else nodeResponse.on('close', onClose);
    // HTTP/2 says so only when the request is over as well, which a body that is held back never is.
    if (arriving && 'stream' in nodeResponse) nodeResponse.stream.once('finish', () => arriving.answered());

    const send = (response: Response): void => {
      try {
        respond(response, nodeResponse, method)?.catch(fail);
      } catch (error) {
        fail(error);
      }
    };
    const answer = (response: Response): void => {
      const accept = (): string | undefined => headerOf(nodeRequest, 'accept-encoding');
      const compressed = compress && mayCompress(nodeResponse) ? compress(response, accept) : response;
      if (isPromise(compressed)) compressed.then(send, fail);
      else send(compressed);
    };
    // The Response cannot be sent, or its body has failed.
    const fail = (error: unknown): void => {
      if (request) report(error, request);
      if (!nodeResponse.headersSent) respond(textResponse(500, 'Internal server error'), nodeResponse, method);
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
  return Object.assign(listener, { drain: tasks.drain });
}

/** Whether nothing in front forbids it: a middleware that compresses has added `flush`, others have set headers. */
function mayCompress(nodeResponse: NodeResponse): boolean {
  if ('flush' in nodeResponse || nodeResponse.hasHeader('content-encoding')) return false;
  return !/\bno-transform\b/i.test(String(nodeResponse.getHeader('cache-control') ?? ''));
}

// As it was sent, its headers describe it before a parser has decoded it.
function describeParsed(headers: Headers, body: ParsedBody): void {
  headers.delete('content-encoding');
  if (body instanceof Uint8Array) headers.set('content-length', String(body.byteLength));
  else headers.delete('content-length');
}
