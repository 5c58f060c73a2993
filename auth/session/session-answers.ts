/** Answers with JSON that no cache keeps. */
export function answerJson(status: number, body: unknown, cookies: string[] = []): Response {
  return withCookies(Response.json(body, { status }), cookies);
}

/** Sends the browser to a URL, always by GET. */
export function sendTo(url: string, cookies: string[] = []): Response {
  // The URL that is left may hold a code, which is nobody's.
  const headers = { location: url, 'referrer-policy': 'no-referrer' };
  return withCookies(new Response(null, { status: 303, headers }), cookies);
}

/** Gives a response cookies. It is for one user then, and no cache may keep it. */
export function withCookies(response: Response, cookies: string[]): Response {
  // Those of a redirect, or of what fetch gave, cannot be changed.
  const copy = new Response(response.body, response);
  for (const cookie of cookies) copy.headers.append('set-cookie', cookie);
  if (cookies.length > 0 || !copy.headers.has('cache-control')) copy.headers.set('cache-control', 'no-store');
  return copy;
}
