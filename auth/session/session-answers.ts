/** Answers with JSON that is not cached. */
export function answerJson(status: number, body: unknown, cookies: string[] = []): Response {
  return withCookies(Response.json(body, { status }), cookies);
}

/** Sends the browser to a URL, always by GET. */
export function sendTo(url: string, cookies: string[] = []): Response {
  // The current URL may contain a code, which must not be sent on.
  const headers = { location: url, 'referrer-policy': 'no-referrer' };
  return withCookies(new Response(null, { status: 303, headers }), cookies);
}

/** Adds cookies to a response. It is then for one user, and must not be cached. */
export function withCookies(response: Response, cookies: string[]): Response {
  if (cookies.length === 0) return uncached(response);
  // A route may keep its response, and must not give the cookies to others. The headers of a redirect, or of a fetched
  // response, cannot be changed at all.
  const copy = new Response(response.body, response);
  for (const cookie of cookies) copy.headers.append('set-cookie', cookie);
  copy.headers.set('cache-control', 'no-store');
  return copy;
}

// Without a copy where possible: a copy turns the body into a stream, without its length, and on Bun (1.4) without the
// type of a text.
function uncached(response: Response): Response {
  if (response.headers.has('cache-control')) return response;
  try {
    response.headers.set('cache-control', 'no-store');
    return response;
  } catch {
    const copy = new Response(response.body, response);
    copy.headers.set('cache-control', 'no-store');
    return copy;
  }
}
