/**
 * The request as middleware sees it: a Request like any other, whose headers cannot be changed and whose body cannot be
 * taken away from the route. `clone()` gives an ordinary copy of the whole request, body included.
 */
export function toImmutableRequest(request: Request): Request {
  const view = new Request(request.url, { method: isForbidden(request.method) ? 'GET' : request.method });
  const headers = new Headers(request.headers);
  for (const name of ['set', 'append', 'delete']) {
    Object.defineProperty(headers, name, { value: refuse(`headers.${name}()`, changeHint) });
  }
  Object.defineProperties(view, {
    method: { value: request.method },
    headers: { value: headers },
    signal: { get: () => request.signal },
    body: { value: null },
    bodyUsed: { get: () => request.bodyUsed },
    clone: { value: () => request.clone() },
  });
  for (const name of ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text']) {
    const refused = refuse(`${name}()`, readHint);
    Object.defineProperty(view, name, { value: async () => refused() });
  }
  return view;
}

const changeHint = 'Use setResponseHeaders() to say something to the client.';
const readHint = 'Read a copy: await request.clone().json(), and so on.';

function refuse(what: string, hint: string): () => never {
  return () => {
    throw new TypeError(`Middleware called request.${what}, but its request is immutable. ${hint}`);
  };
}

// Methods the Request constructor refuses, though they arrive: Fetch, section 2.2.1.
function isForbidden(method: string): boolean {
  return /^(connect|trace|track)$/i.test(method);
}
