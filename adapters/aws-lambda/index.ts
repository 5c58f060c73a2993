import { assertNoStream, assertStream, streamingGlobal } from './assert-streaming.ts';
import type { OrFetch } from '../_http/options.ts';
import { assertEvent, isProxyEvent } from './assert-event.ts';
import { fromEvent } from './event.ts';
import type {
  LambdaEvent,
  LambdaProxyEvent,
  LambdaProxyResult,
  LambdaResult,
  StreamingLambdaHandler,
} from './host-types.ts';
import { createInvoke } from './invocation.ts';
import type { LambdaOptions } from './invocation.ts';
import { fromProxyEvent, toProxyResult } from './proxy-event.ts';
import { toResult } from './result.ts';
import { createStreamSender } from './stream.ts';

export type { FetchOption, OrFetch, ServerOptions } from '../_http/options.ts';
export type { LambdaOptions } from './invocation.ts';
export type {
  LambdaEvent,
  LambdaProxyEvent,
  LambdaProxyResult,
  LambdaResult,
  LambdaStream,
  StreamingLambdaHandler,
} from './host-types.ts';

/** A function that returns a complete answer, in the payload format of the event. */
export interface LambdaHandler {
  (event: LambdaEvent, context?: unknown): Promise<LambdaResult>;
  (event: LambdaProxyEvent, context?: unknown): Promise<LambdaProxyResult>;
}

/**
 * Hosts an exported app in an AWS Lambda function that returns complete answers: behind an HTTP API, a REST API, an
 * Application Load Balancer with multi-value headers, or a Function URL with InvokeMode BUFFERED.
 *
 * ```js
 * export const handler = createRequestHandler({ build: 'dist/server' });
 * ```
 *
 * An answer is returned after the tasks of `runTask` and `deferTask`, since Lambda freezes a function that has returned, or half a
 * second before the `Timeout` of the function.
 *
 * @returns the function. It rejects with a CodedError ERR_EVENT_INVALID when the event is not a
 * request in payload format 2.0 or 1.0, and with ERR_STREAMING_MISMATCH when it is called as a streaming function.
 * @throws CodedError when there is no server build, or an option is invalid.
 */
export function createRequestHandler(options: OrFetch<LambdaOptions>): LambdaHandler {
  const invoke = createInvoke(options);
  const answer = async (
    event: LambdaEvent | LambdaProxyEvent,
    context?: unknown,
  ): Promise<LambdaResult | LambdaProxyResult> => {
    assertNoStream(context);
    const sender = { send: toResult, headSent: false };
    if (isProxyEvent(event)) return toProxyResult(await invoke(fromProxyEvent(event), sender, { event, context }));
    assertEvent(event);
    return invoke(fromEvent(event), sender, { event, context });
  };
  // An answer has the format of its event.
  return answer as LambdaHandler;
}

/**
 * Hosts an exported app in an AWS Lambda function that streams its answers: behind a Function URL with InvokeMode
 * RESPONSE_STREAM.
 *
 * ```js
 * export const handler = createStreamingRequestHandler({ build: 'dist/server' });
 * ```
 *
 * Tasks of `runTask` and `deferTask` do not delay an answer.
 *
 * @returns the function. It rejects with a CodedError ERR_EVENT_INVALID when the event is not a
 * request in payload format 2.0, and ERR_STREAMING_MISMATCH when it is called as a function that returns.
 * @throws CodedError when there is no server build, or an option is invalid; ERR_STREAMING_MISMATCH outside Lambda's
 * Node.js runtimes.
 */
export function createStreamingRequestHandler(options: OrFetch<LambdaOptions>): StreamingLambdaHandler {
  const awslambda = streamingGlobal();
  // A Function URL that streams was observed to decode bodies with a Content-Encoding, and CloudFront to answer 502
  // then: https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/issues/96
  const invoke = createInvoke({ ...options, compress: options.compress ?? false });
  return awslambda.streamifyResponse(async (event, stream, context) => {
    assertStream(stream);
    assertEvent(event);
    return invoke(fromEvent(event), createStreamSender(stream, awslambda), { event, context });
  });
}
