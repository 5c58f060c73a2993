import { assertNoStream, assertStream, streamingGlobal } from './assert-streaming.ts';
import type { OrFetch } from '../_http/options.ts';
import type { LambdaEvent, LambdaResult, StreamingLambdaHandler } from './host-types.ts';
import { createInvoke } from './invocation.ts';
import type { LambdaOptions } from './invocation.ts';
import { toResult } from './result.ts';
import { createStreamSender } from './stream.ts';

export type { FetchOption, OrFetch, ServerOptions } from '../_http/options.ts';
export type { LambdaOptions } from './invocation.ts';
export type { LambdaEvent, LambdaResult, LambdaStream, StreamingLambdaHandler } from './host-types.ts';

/** A function that returns a complete answer. */
export type LambdaHandler = (event: LambdaEvent, context?: unknown) => Promise<LambdaResult>;

/**
 * Hosts an exported app in an AWS Lambda function that returns complete answers: behind an HTTP API, or a Function URL with
 * InvokeMode BUFFERED.
 *
 * ```js
 * export const handler = createRequestHandler({ build: 'dist/server' });
 * ```
 *
 * An answer is returned after the tasks of `runTask` and `deferTask`, since Lambda freezes a function that has returned.
 *
 * @returns the function. It rejects with a CodedError ERR_EVENT_INVALID when the event is not a
 * request in payload format 2.0, and with ERR_STREAMING_MISMATCH when it is called as a streaming function.
 * @throws CodedError when there is no server build, or an option is invalid.
 */
export function createRequestHandler(options: OrFetch<LambdaOptions>): LambdaHandler {
  const invoke = createInvoke(options);
  return async (event, context) => {
    assertNoStream(context);
    return invoke(event, { send: toResult, headSent: false }, context);
  };
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
 * @returns the function. It rejects with a CodedError ERR_EVENT_INVALID as that of {@link createRequestHandler} does.
 * @throws CodedError when there is no server build, or an option is invalid; ERR_STREAMING_MISMATCH outside Lambda's
 * Node.js runtimes.
 */
export function createStreamingRequestHandler(options: OrFetch<LambdaOptions>): StreamingLambdaHandler {
  const awslambda = streamingGlobal();
  // A Function URL that streams has been seen to decode what has a Content-Encoding, and CloudFront to answer that by 502:
  // https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/issues/96
  const invoke = createInvoke({ ...options, compress: options.compress ?? false });
  return awslambda.streamifyResponse(async (event, stream, context) => {
    assertStream(stream);
    return invoke(event, createStreamSender(stream, awslambda), context);
  });
}
