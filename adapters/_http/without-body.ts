/** The response to a HEAD, for a host that would read its body to the end or let it run on, and sends none of it. */
export function withoutBody(response: Response): Response {
  if (!response.body) return response;
  // If a source cannot be cancelled, that is up to the route; the answer is sent.
  response.body.cancel().catch(() => undefined);
  return new Response(null, response);
}
