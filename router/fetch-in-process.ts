import type { AnsweringContext } from './answering-context.ts';

/** What a browser would send along to the app's own server. */
const CREDENTIALS = ['authorization', 'cookie'];

/** Fetch, HTTP-redirect fetch, step 6. */
const MAX_REDIRECTS = 20;

/**
 * Asks the app for one of its paths from within a request, without the network: middleware and route run as for a request that
 * has arrived. It is the visitor's: `Cookie` and `Authorization` go along unless `credentials` is `omit`, and it is aborted when the
 * visitor leaves unless it has a signal of its own.
 *
 * @throws TypeError as `fetch` does: for what is no path, for a redirect that `redirect: 'error'` refuses, for more than 20 of
 * them, and for a stream that a redirect would need twice.
 */
export async function fetchInProcess(
  context: AnsweringContext,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  let url = new URL(path.startsWith('/') ? context.basePath + path : path, context.request.url);
  let current = withCredentials(init, context.request);
  for (let count = 0; ; count += 1) {
    const response = await context.dispatch(new Request(url, current));
    const location = [301, 302, 303, 307, 308].includes(response.status) ? response.headers.get('location') : null;
    if (location === null || init.redirect === 'manual') return response;
    if (init.redirect === 'error') throw new TypeError(`${url.pathname} answered with a redirect to ${location}.`);
    if (count === MAX_REDIRECTS) throw new TypeError(`${path} was redirected more than ${MAX_REDIRECTS} times.`);
    await response.body?.cancel();
    const next = new URL(location, url);
    current = afterRedirect(current, response.status);
    if (next.origin !== url.origin) return globalThis.fetch(next, withoutCredentials(current));
    url = next;
  }
}

function withCredentials(init: RequestInit, visitor: Request): RequestInit {
  const headers = new Headers(init.headers);
  if (init.credentials !== 'omit') {
    for (const name of CREDENTIALS) {
      const value = visitor.headers.get(name);
      if (value !== null && !headers.has(name)) headers.set(name, value);
    }
  }
  return { ...init, headers, signal: init.signal ?? visitor.signal };
}

function withoutCredentials(init: RequestInit): RequestInit {
  const headers = new Headers(init.headers);
  for (const name of CREDENTIALS) headers.delete(name);
  return { ...init, headers };
}

// Fetch, HTTP-redirect fetch, steps 11 and 12.
function afterRedirect(init: RequestInit, status: number): RequestInit {
  const method = init.method?.toUpperCase() ?? 'GET';
  const becomesGet = status === 303 ? method !== 'HEAD' : (status === 301 || status === 302) && method === 'POST';
  if (!becomesGet) {
    if (init.body instanceof ReadableStream)
      throw new TypeError('A request whose body is a stream cannot follow a redirect, which would need it twice.');
    return init;
  }
  const headers = new Headers(init.headers);
  for (const name of ['content-encoding', 'content-language', 'content-location', 'content-type']) headers.delete(name);
  return { ...init, method: 'GET', body: null, headers };
}
