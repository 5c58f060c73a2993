import { origin } from 'appkit-server';

/** Says everything about the request but its body. */
function describe(request: Request): Response {
  return Response.json({
    method: request.method,
    url: request.url,
    origin: origin(),
    headers: [...request.headers],
    cookie: request.headers.get('cookie'),
    query: [...new URL(request.url).searchParams],
    hasBody: request.body !== null,
    aborted: request.signal.aborted,
  });
}

export { describe as GET, describe as POST };
