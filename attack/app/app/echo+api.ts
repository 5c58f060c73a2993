import { origin } from 'appkit-server';

/** What the route received. */
async function echo(request: Request): Promise<Response> {
  const { method, url } = request;
  return Response.json({
    method,
    url,
    origin: origin(),
    headers: [...request.headers],
    query: [...new URL(url).searchParams],
    body: await request.text(),
  });
}

export { echo as DELETE, echo as GET, echo as OPTIONS, echo as PATCH, echo as POST, echo as PUT };
