// The answers of each example, so that all hosts can be tested in the same way with all frameworks.

/** The request body, byte by byte. */
export async function echo(request: Request): Promise<Response> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  return Response.json({ method: request.method, body: [...bytes].map((byte) => byte.toString(16)).join(' ') });
}

/** Sets two cookies, and reports which cookies arrived. */
export function cookies(request: Request): Response {
  const headers = new Headers();
  headers.append('set-cookie', 'a=1; Path=/');
  headers.append('set-cookie', 'b=2; Path=/');
  return Response.json({ cookie: request.headers.get('cookie') }, { headers });
}

const ids = new Map<string, 'released' | 'left'>();

/** Sends `first`, and `second` once a request releases the id. Records whether the client leaves before that. */
export function stream(request: Request): Response {
  const id = idOf(request);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(encoder.encode('first'));
      // With a timer: workerd ends a request that waits only for another request.
      while (!ids.has(id)) await new Promise((resolve) => setTimeout(resolve, 5));
      if (ids.get(id) === 'left') return;
      controller.enqueue(encoder.encode('second'));
      controller.close();
    },
    cancel: () => void ids.set(id, 'left'),
  });
  return new Response(body, { headers: { 'content-type': 'application/octet-stream' } });
}

/** Reports whether the client of a stream has left. Also lets the stream end, unless requested with `?look`. */
export function release(request: Request): Response {
  const id = idOf(request);
  const hasLeft = ids.get(id) === 'left';
  if (!hasLeft && !new URL(request.url).searchParams.has('look')) ids.set(id, 'released');
  return Response.json({ hasLeft });
}

function idOf({ url }: Request): string {
  return new URL(url).searchParams.get('id') ?? '';
}
