/** The cookies of a request by their names. */
export type Cookies = ReadonlyMap<string, string>;

/**
 * How long a value may be. Browsers keep 4096 bytes of name, value and attributes (RFC 6265 section 6.1); the rest is
 * for name and attributes.
 */
export const COOKIE_BYTES = 3800;

/** How a cookie is set. */
interface CookieOptions {
  /** How long the browser keeps it. 0 removes it. */
  maxAge: number;
  /** The origin of the app: on https, cookies are never sent over http. */
  origin: string;
}

/** Reads the cookies of a request. If two have one name, the first counts. */
export function readCookies(request: Request): Cookies {
  const cookies = new Map<string, string>();
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const end = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, end)).trim();
    if (name !== '' && !cookies.has(name)) cookies.set(name, pair.slice(end + 1).trim());
  }
  return cookies;
}

/**
 * The name of a cookie in the browser. With the prefix, the browser refuses a cookie of that name from a subdomain,
 * over http or without Secure (RFC 6265bis section 4.1.3).
 */
export function cookieName(name: string, origin: string): string {
  return origin.startsWith('https:') ? `__Host-${name}` : name;
}

/**
 * Creates the header that sets a cookie. Lax: the provider sends the user back from another site, and the cookie must
 * be sent then.
 */
export function toSetCookie(name: string, value: string, { maxAge, origin }: CookieOptions): string {
  const attributes = [`${name}=${value}`, 'Path=/', `Max-Age=${maxAge}`, 'HttpOnly', 'SameSite=Lax'];
  if (origin.startsWith('https:')) attributes.push('Secure');
  return attributes.join('; ');
}
