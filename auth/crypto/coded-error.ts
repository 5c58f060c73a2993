/** An error that the caller can tell apart by its `code`: `ERR_CRYPTO` or `ERR_CRYPTO_UNAVAILABLE`. */
export interface CodedError extends Error {
  code: string;
}

/** The caller's mistake. */
export function invalidArgument(message: string): CodedError {
  return Object.assign(new TypeError(message), { code: 'ERR_CRYPTO' });
}

/** Creates the error for a platform that lacks a required function. */
export function unavailable(message: string): CodedError {
  return Object.assign(new Error(message), { code: 'ERR_CRYPTO_UNAVAILABLE' });
}
