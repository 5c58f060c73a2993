/** The origins that may send forms in addition to the app itself, or `*` for any. */
export type FormOrigins = ReadonlySet<string>;

/** A request, and its target. */
export interface Arrival {
  request: Request;
  header(name: string): string | null;
  /** The public origin that the host vouches for. */
  vouched: string | undefined;
}

/**
 * Whether a page of another origin may have made a browser send this with the visitor's cookies, without a preflight:
 * its method changes something, and a form or a simple request could have sent it.
 *
 * @see Fetch Standard, "CORS-safelisted request-header"; OWASP, "Cross-Site Request Forgery Prevention"
 */
export function isForeignForm(arrival: Arrival, allowed: FormOrigins): boolean {
  // Browsers send a preflight (CORS) before other methods of a page of another origin.
  if (arrival.request.method !== 'POST') return false;
  if (arrival.header('cookie') === null) return false;
  return FORM.test(arrival.header('content-type') ?? '') && isForeign(arrival, allowed);
}

// A missing media type counts too: fetch() sends none with a Blob that has no type.
const FORM = /^\s*(?:(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\s*(?:;|$)|$)/i;

/**
 * Whether a page of another origin has made a browser send a request other than GET. A client that does not say where the request comes from is not a
 * browser: browsers do.
 *
 * @see Fetch Metadata Request Headers, section 2.3; Fetch Standard, "append a request Origin header"
 */
export function isForeign(arrival: Arrival, allowed: FormOrigins): boolean {
  const { request, vouched } = arrival;
  const site = arrival.header('sec-fetch-site');
  const origin = arrival.header('origin');
  if (site === 'same-origin' || site === 'none' || (site === null && origin === null)) return false;
  if (allowed.has('*') || (origin !== null && allowed.has(origin))) return false;
  if (site !== null || origin === null || !URL.canParse(origin)) return true;
  // Without its scheme: behind a proxy that ends TLS, a request may look like http.
  const { host } = new URL(origin);
  return host !== new URL(request.url).host && (vouched === undefined || host !== new URL(vouched).host);
}
