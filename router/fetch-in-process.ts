import type { AnsweringContext } from './answering-context.ts';
import { discard } from './discard.ts';

/** The headers that a browser would send to the app's own server. */
const CREDENTIALS = ['authorization', 'cookie'];

/** Fetch, HTTP-redirect fetch, step 6. */
const MAX_REDIRECTS = 20;

/**
 * Requests one of the app's paths during a request, without the network: middleware and route run as for a request that
 * has arrived. It is made as the visitor: unless `credentials` is `omit`, `Cookie` and `Authorization` are sent along,
 * and cookies that are set reach the visitor. It is aborted when the visitor leaves, unless it has its own signal.
 *
 * @throws TypeError as `fetch` does: for a redirect that `redirect: 'error'` refuses or that does not lead to a server,
 * for more than 20 redirects, and for a stream that a redirect would need twice.
 */
export async function fetchInProcess(
  context: AnsweringContext,
  path: string,
  { credentials, ...init }: RequestInit = {},
): Promise<Response> {
  let url = new URL(path.startsWith('/') ? context.basePath + path : path, context.request.url);
  let current = asVisitor(init, context.request, credentials !== 'omit');
  for (let count = 0; ; count += 1) {
    const response = await context.dispatch(new Request(url, current));
    if (credentials !== 'omit') giveCookies(context, response);
    const location = [301, 302, 303, 307, 308].includes(response.status) ? response.headers.get('location') : null;
    if (location === null || init.redirect === 'manual') {
      return Object.defineProperties(response, { url: { value: url.href }, redirected: { value: count > 0 } });
    }
    if (init.redirect === 'error') throw new TypeError(`${url.pathname} answered with a redirect to ${location}.`);
    if (count === MAX_REDIRECTS) throw new TypeError(`${path} was redirected more than ${MAX_REDIRECTS} times.`);
    await discard(response.body);
    const next = new URL(location, url);
    // On some platforms, fetch would read a file.
    if (!/^https?:$/.test(next.protocol)) throw new TypeError(`${url.pathname} was redirected to ${location}.`);
    current = afterRedirect(current, response.status);
    if (next.origin !== url.origin) return globalThis.fetch(next, withoutCredentials(current));
    url = next;
  }
}

// As a browser keeps the cookies of requests that its page makes.
function giveCookies(context: AnsweringContext, { headers }: Response): void {
  const cookies = headers.getSetCookie();
  if (cookies.length === 0) return;
  try {
    context.setResponseHeaders({ 'set-cookie': cookies });
  } catch {
    // The caller is a background task, and the headers have been sent.
  }
}

function asVisitor(
  init: RequestInit,
  { headers: theirs, method, signal }: Request,
  withCredentials: boolean,
): RequestInit {
  const headers = new Headers(init.headers);
  const pass = (name: string): void => {
    const value = theirs.get(name);
    if (value !== null && !headers.has(name)) headers.set(name, value);
  };
  if (withCredentials) CREDENTIALS.forEach(pass);
  // While a page is shown, the app itself makes the request. A form posted by another site keeps its origin.
  if (method === 'GET' || method === 'HEAD') headers.set('sec-fetch-site', 'same-origin');
  else ['origin', 'sec-fetch-site'].forEach(pass);
  return { ...init, headers, signal: init.signal ?? signal };
}

function withoutCredentials(init: RequestInit): RequestInit {
  const headers = new Headers(init.headers);
  for (const name of [...CREDENTIALS, 'origin', 'sec-fetch-site']) headers.delete(name);
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
