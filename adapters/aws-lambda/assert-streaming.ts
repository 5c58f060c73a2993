import { codedError } from '../../runtime/host.ts';
import type { LambdaGlobal, LambdaStream } from './host-types.ts';

/**
 * The global that marks a function as streaming.
 *
 * @throws CodedError ERR_STREAMING_MISMATCH if it is missing.
 */
export function streamingGlobal(): LambdaGlobal {
  const { awslambda } = globalThis as { awslambda?: LambdaGlobal };
  if (awslambda?.streamifyResponse !== undefined) return awslambda;
  throw codedError(
    'ERR_STREAMING_MISMATCH',
    "createStreamingRequestHandler() needs the global awslambda of Lambda's Node.js runtimes, which is missing here. Call it in " +
      'a Lambda function, or call createRequestHandler(), which needs only an event.',
  );
}

/** Checks that a streaming function was called with a stream. */
export function assertStream(value: unknown): asserts value is LambdaStream {
  if (isStream(value)) return;
  throw codedError(
    'ERR_STREAMING_MISMATCH',
    'The function of createStreamingRequestHandler() was called without a stream for its answer. Export it as it is, ' +
      'without a wrapper that drops the stream, or use createRequestHandler().',
  );
}

/** Checks that a function that returns its answer was not called with a stream: the returned value would be ignored. */
export function assertNoStream(value: unknown): void {
  if (!isStream(value)) return;
  throw codedError(
    'ERR_STREAMING_MISMATCH',
    'The function of createRequestHandler() was called with a stream for its answer. Use createStreamingRequestHandler() ' +
      'in place of awslambda.streamifyResponse().',
  );
}

function isStream(value: unknown): boolean {
  return typeof (value as LambdaStream | null | undefined)?.write === 'function';
}
