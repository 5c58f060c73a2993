/** What a route sees of who asks. */
export interface Seen {
  user: string | null;
  cookie: string | null;
}

/** Ways of copying the headers of a request. `echo` is the URL of a route that describes the request it receives. */
const copies: Record<string, (request: Request, echo: string) => Seen | Promise<Seen>> = {
  headers: ({ headers }) => seenIn(new Headers(headers)),
  'headers-of-request': ({ headers }, echo) => seenIn(new Request(echo, { headers }).headers),
  'headers-of-response': ({ headers }) => seenIn(new Response(null, { headers }).headers),
  entries: ({ headers }) => seenIn(new Headers(Object.fromEntries(headers))),
  request: (request) => seenIn(new Request(request).headers),
  'request-with-init': (request) => seenIn(new Request(request, { redirect: 'manual' }).headers),
  'request-as-init': (request, echo) => seenIn(new Request(echo, request).headers),
  clone: (request) => seenIn(request.clone().headers),
  'fetched-request': async (request, echo) => seenBy(await fetch(new Request(echo, request))),
  'fetched-headers': async ({ headers }, echo) => seenBy(await fetch(echo, { headers })),
  'fetched-init': async (request, echo) => seenBy(await fetch(echo, request)),
};

export async function copyBy(way: string, request: Request): Promise<Seen> {
  const copy = copies[way];
  if (!copy) throw new TypeError(`No way of copying is called ${way}.`);
  // Also where the app is mounted below another path.
  return copy(request, request.url.replace(/\/(?:cached|shown|site)\/.*$/, '/request/head'));
}

function seenIn(headers: Headers): Seen {
  return { user: headers.get('x-user'), cookie: headers.get('cookie') };
}

async function seenBy(response: Response): Promise<Seen> {
  const { headers } = (await response.json()) as { headers: [string, string][] }; // of request/head+api.ts
  return seenIn(new Headers(headers));
}
