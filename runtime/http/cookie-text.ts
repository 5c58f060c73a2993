import { parseCookie, stringifySetCookie } from 'cookie';
import { codedError } from './coded-error.ts';
import type { CodedError } from './coded-error.ts';

/** How a cookie is set. */
export interface CookieOptions {
  /** How long the browser keeps it, in seconds. Default: until the browser is closed. */
  maxAge?: number | undefined;
  /** When the browser forgets it. `maxAge` counts if both are given. Default: when the browser is closed. */
  expires?: Date | undefined;
  /** The domain whose subdomains receive it too, such as `shop.example`. Default: only this host receives it. */
  domain?: string | undefined;
  /** The path below which it is sent. Default: `/`. */
  path?: string | undefined;
  /** Whether scripts in the browser cannot read it. Default: `true`. */
  httpOnly?: boolean | undefined;
  /** Whether it is sent over https only. Default: whether the request came over https, as the host or a trusted proxy says. */
  secure?: boolean | undefined;
  /**
   * Whether it is sent with requests from other sites: `strict` never, `lax` when the user follows a link, `none`
   * always, which needs https. Default: `lax`.
   */
  sameSite?: 'strict' | 'lax' | 'none' | undefined;
  /** Whether each site that embeds this one gets a separate cookie (CHIPS), which needs https. Default: `false`. */
  partitioned?: boolean | undefined;
  /** Which cookies Chromium drops first when there are too many. Default: it treats the cookie as `medium`. */
  priority?: 'low' | 'medium' | 'high' | undefined;
}

/** Browsers ignore a cookie whose name and value are longer (RFC 6265bis section 5.7). */
const MAX_BYTES = 4096;
const TOKEN = /^[!#$%&'*+.^_`|~\w-]+$/;
const LOCAL = /^http:\/\/(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?\//;

/** Reads a `Cookie` header. If two cookies have the same name, the first one counts. */
export function readCookieHeader(header: string | null): Readonly<Record<string, string | undefined>> {
  if (header === null) return NONE;
  // Code usually reads several cookies.
  if (last?.header !== header) last = { header, cookies: parseCookie(header) };
  return last.cookies;
}

// Without a prototype, like the parser's result.
const NONE: Readonly<Record<string, string | undefined>> = Object.freeze(Object.create(null));
let last: { header: string; cookies: Record<string, string | undefined> } | undefined;

/**
 * Makes the header that sets a cookie, with safe defaults.
 *
 * @param url – the URL of the request, with a scheme that the host vouches for.
 * @throws TypeError with code `ERR_COOKIE_INVALID` for a cookie that a browser would ignore.
 */
export function toSetCookie(
  name: string,
  value: string,
  { url, options }: { url: string; options: CookieOptions },
): string {
  if (typeof name !== 'string' || !TOKEN.test(name)) {
    throw invalid(name, "its name may only have letters, digits and !#$%&'*+-.^_`|~");
  }
  if (typeof value !== 'string') throw invalid(name, `its value is of type ${typeof value}. Give it text`);
  const { path = '/', httpOnly = true, sameSite = 'lax', partitioned = false } = options;
  const { secure = url.startsWith('https:') || (hasPrefix(name) && LOCAL.test(url)) } = options;
  // What is undefined counts as absent.
  const whole = { ...(options as Defined), path, httpOnly, sameSite, partitioned, secure };
  assertKept(name, whole);
  let text: string;
  try {
    text = stringifySetCookie({ name, value, ...whole });
  } catch (error) {
    throw invalid(
      name,
      error instanceof URIError ? 'its value has half of a surrogate pair' : (error as Error).message,
    );
  }
  const size = text.indexOf(';') - 1; // without the =
  if (size > MAX_BYTES) {
    throw invalid(
      name,
      `its name and value have ${size} bytes, and browsers keep at most ${MAX_BYTES}. Keep an id in it, and the data in a database`,
    );
  }
  return text;
}

type Defined = { [Name in keyof CookieOptions]: NonNullable<CookieOptions[Name]> };
type Whole = Defined & Required<Pick<Defined, 'httpOnly' | 'path' | 'partitioned' | 'sameSite' | 'secure'>>;

// RFC 6265bis sections 4.1.2.7, 4.1.3 and 5.7: a browser silently ignores such a cookie.
function assertKept(name: string, { domain, httpOnly, partitioned, path, sameSite, secure }: Whole): void {
  if (!path.startsWith('/')) throw invalid(name, `its path is "${path}", which does not begin with /`);
  const why = hasPrefix(name)
    ? 'with this prefix'
    : sameSite === 'none'
      ? 'with SameSite=None'
      : partitioned
        ? 'with Partitioned'
        : undefined;
  if (why !== undefined && !secure) {
    throw invalid(
      name,
      `${why} it must be Secure, and the request came over http. Serve the app over https; behind a proxy, set trustProxy`,
    );
  }
  if (/^__host-/i.test(name) && (path !== '/' || domain !== undefined)) {
    throw invalid(
      name,
      'with the prefix __Host- its path is / and it has no domain. Leave them out, or name it __Secure-',
    );
  }
  if (/^__(?:host-)?http-/i.test(name) && !httpOnly) {
    throw invalid(name, 'with this prefix it must be HttpOnly. Leave the option httpOnly out');
  }
}

// Browsers compare them without regard to case.
function hasPrefix(name: string): boolean {
  return /^__(?:host|secure|http)-/i.test(name);
}

function invalid(name: string, why: string): CodedError {
  return codedError('ERR_COOKIE_INVALID', `The cookie ${JSON.stringify(name)} cannot be set: ${why}.`);
}
