import { cancelUnread } from '../../runtime/host.ts';

/** The response to a HEAD, without its body, for a host that would read the body to the end or leave it running. */
export function withoutBody(response: Response): Response {
  if (!response.body) return response;
  // If a source cannot be cancelled, that is the route's problem; the answer is sent.
  cancelUnread(response.body).catch(() => undefined);
  return new Response(null, response);
}
