/** Tells our errors apart in code; the messages may improve. docs/guide/errors.md says what each means. */
export type ErrorCode =
  | 'ERR_BODY_CONSUMED'
  | 'ERR_BUILD_INVALID'
  | 'ERR_BUILD_MISSING'
  | 'ERR_BUILD_TOO_NEW'
  | 'ERR_CACHE_INVALID'
  | 'ERR_COOKIE_INVALID'
  | 'ERR_EVENT_INVALID'
  | 'ERR_EVENT_STREAM_INVALID'
  | 'ERR_HEADER_LATE'
  | 'ERR_HEADERS_INVALID'
  | 'ERR_JOB_INPUT'
  | 'ERR_JOB_INVALID'
  | 'ERR_JOBS_UNAVAILABLE'
  | 'ERR_MATCHER_INVALID'
  | 'ERR_MIDDLEWARE_INVALID'
  | 'ERR_NEXT_CALLED'
  | 'ERR_OPTION_INVALID'
  | 'ERR_OUTPUT_INVALID'
  | 'ERR_OUTSIDE_REQUEST'
  | 'ERR_REQUEST_IMMUTABLE'
  | 'ERR_RESPONSE_INVALID'
  | 'ERR_RESPONSE_SENT'
  | 'ERR_ROUTE_INVALID'
  | 'ERR_STREAMING_MISMATCH'
  | 'ERR_TASK_INVALID'
  | 'ERR_TEST_APP';

/** A mistake of the caller: a TypeError with a stable `code`. */
export interface CodedError extends TypeError {
  code: ErrorCode;
}

/** Makes a {@link CodedError}. */
export function codedError(code: ErrorCode, message: string): CodedError {
  return Object.assign(new TypeError(message), { code });
}
