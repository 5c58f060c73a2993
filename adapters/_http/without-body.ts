/** The response to a HEAD, for a host that would read its body to the end or let it run on, and sends none of it. */
export function withoutBody(response: Response): Response {
  if (!response.body) return response;
  // A source that cannot be cancelled is the route's affair; the answer stands.
  response.body.cancel().catch(() => undefined);
  return new Response(null, response);
}
