const chunk = new Uint8Array(64 * 1024).fill(97);

/** One megabyte in sixteen chunks, each created on demand. */
export function megabyte() {
  let sent = 0;
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(chunk);
      if (++sent === 16) controller.close();
    },
  });
}

/** A fetch handler for the peers without a router, written as their documentation suggests. */
export function createFetchHandler(ResponseClass = Response) {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/text') return new ResponseClass('Hello, world!');
    if (pathname.startsWith('/json/')) return ResponseClass.json({ id: pathname.slice(6), ok: true });
    if (pathname === '/echo' && request.method === 'POST') return ResponseClass.json(await request.json());
    if (pathname === '/upload' && request.method === 'POST') return new ResponseClass(request.body);
    if (pathname === '/stream') return new ResponseClass(megabyte());
    return new ResponseClass('Not found', { status: 404 });
  };
}
