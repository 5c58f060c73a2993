/**
 * Whether a request comes from a page of the app. Browsers declare it in headers that pages cannot set; without these
 * headers, the client is not a browser, or too old.
 */
export function isFromOwnPage({ headers }: Request, origin: string): boolean {
  const site = headers.get('sec-fetch-site');
  return site === null ? headers.get('origin') === origin : site === 'same-origin';
}

/** Whether a request may change something. */
export function isUnsafe({ method }: Request): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
}

/** Whether a request is for a page, to be shown to the user. */
export function isForPage({ headers, method }: Request): boolean {
  const mode = headers.get('sec-fetch-mode');
  const isShown = mode === null ? (headers.get('accept') ?? '').includes('text/html') : mode === 'navigate';
  return isShown && (method === 'GET' || method === 'HEAD');
}
