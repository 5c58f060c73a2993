import type { Readable } from 'node:stream';
import { reportTo } from '../../runtime/error-report.ts';
import { createHandler } from '../../runtime/handler.ts';
import { textResponse } from '../../runtime/responses.ts';
import { createTaskSet } from '../../runtime/tasks.ts';
import { isTooLarge, tooLargeResponse } from '../_http/body-limit.ts';
import { toServerLimits } from '../_http/options.ts';
import type { ServerOptions } from '../_http/options.ts';
import type { NodeRequest, NodeResponse, RequestBody } from './host-types.ts';
import { loadBuild } from './load-build.ts';
import { discard, toBodyStream } from './request-body.ts';
import { hasBody, toRequest } from './request.ts';
import { respond } from './respond.ts';

/** What a framework around `node:http` knows better than the message it hands on. */
export interface Framed {
  /** The request target as it arrived. */
  target?: string | undefined;
  /** Where the handler is mounted. */
  basePath?: string | undefined;
  /** The body, when a parser of the framework has read it already. */
  parsedBody?: RequestBody | undefined;
  /** Where the body as it was sent is now, when something has read it off the message. */
  bodySource?: Readable | undefined;
  /** Keeps the host running until the promise settles. Default: the set that `drain()` awaits. */
  waitUntil?: ((promise: Promise<unknown>) => void) | undefined;
  /** The environment's name, as the host has it. */
  environment?: string | undefined;
}

/** Answers the requests of a Node server. */
export interface NodeListener {
  (nodeRequest: NodeRequest, nodeResponse: NodeResponse): void;
  /** Resolves when no request and no task of `runTask` or `deferTask` is under way any more. For a shutdown to await. */
  drain(): Promise<void>;
}

/** Makes the listener that the adapters of Node-shaped hosts are made of. */
export function createListener(
  options: ServerOptions,
  frame: (nodeRequest: NodeRequest, nodeResponse: NodeResponse) => Framed = () => ({}),
): NodeListener {
  const limits = toServerLimits(options);
  const handler = createHandler(loadBuild(options.build), options);
  const report = reportTo(options.onError);
  const tasks = createTaskSet();

  const bodyOf = (nodeRequest: NodeRequest, { parsedBody, bodySource }: Framed): RequestBody =>
    parsedBody ?? toBodyStream(bodySource ?? nodeRequest, limits.maxRequestBodySize);

  const answer = async (nodeRequest: NodeRequest, nodeResponse: NodeResponse): Promise<void> => {
    const { method } = nodeRequest;
    if (isTooLarge(nodeRequest.headers['content-length'], limits.maxRequestBodySize)) {
      discard(nodeRequest);
      return respond(tooLargeResponse(), nodeResponse, method);
    }
    const framed = frame(nodeRequest, nodeResponse);
    const controller = new AbortController();
    const request = toRequest(nodeRequest, {
      target: framed.target,
      body: hasBody(nodeRequest) ? bodyOf(nodeRequest, framed) : null,
      proxies: limits.proxies,
      signal: controller.signal,
    });
    if (!request) return respond(textResponse(400, 'Bad request'), nodeResponse, method);
    if (framed.parsedBody !== undefined) forgetEncoding(request.headers);

    if (nodeResponse.destroyed) controller.abort();
    nodeResponse.once('close', () => {
      if (!nodeResponse.writableFinished) controller.abort();
      // What a route has left of a body it began to read would stand in front of the next request.
      discard(nodeRequest);
    });
    const { basePath, environment, waitUntil = tasks.waitUntil } = framed;
    const response = await handler(request, { waitUntil, basePath, environment });
    try {
      await respond(response, nodeResponse, method);
    } catch (error) {
      report(error, request);
      if (!nodeResponse.headersSent) await respond(textResponse(500, 'Internal server error'), nodeResponse, method);
    }
  };

  const listener = (nodeRequest: NodeRequest, nodeResponse: NodeResponse): void => {
    // Behind a slow middleware the client may have left already, and nothing will say so again.
    if (!nodeResponse.destroyed) {
      tasks.begin();
      nodeResponse.once('close', tasks.end);
    }
    answer(nodeRequest, nodeResponse).catch((error: unknown) => {
      // Ours, not the route's: its errors are answers by now.
      console.error('appkit-server failed to answer a request:', error);
      nodeResponse.destroy();
    });
  };
  return Object.assign(listener, { drain: tasks.drain });
}

// They describe the body as it was sent; a parser has decoded it.
function forgetEncoding(headers: Headers): void {
  headers.delete('content-encoding');
  headers.delete('content-length');
}
