import { statusErrorResponse, tooLargeError } from '../../runtime/host.ts';

export { isTooLarge, limitStream, tooLargeError } from '../../runtime/host.ts';

/** The answer to a request that announces a body that is too large. */
export function tooLargeResponse(): Response {
  return statusErrorResponse(tooLargeError());
}
