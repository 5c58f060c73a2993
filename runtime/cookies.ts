/**
 * The cookies of the request that is being answered. Install `cookie`, which reads and writes them.
 *
 * @module
 */
import { codedError } from './http/coded-error.ts';
import type { CodedError } from './http/coded-error.ts';
import { readCookieHeader, toSetCookie } from './http/cookie-text.ts';
import type { CookieOptions } from './http/cookie-text.ts';
import { currentContext } from './request/context.ts';
import type { RequestContext } from './request/context.ts';

export type { CookieOptions } from './http/cookie-text.ts';

/** A cookie that the browser sends. */
export interface Cookie {
  /** Its name. */
  name: string;
  /** Its value, decoded. */
  value: string;
}

/** The cookies of a request, and of its future answer. */
export interface Cookies {
  /** The value of a cookie: the one set during this request, otherwise the one that the browser sent. */
  get(name: string): string | undefined;
  /** All cookies, each name once. */
  getAll(): Cookie[];
  /** Whether a cookie of this name exists. */
  has(name: string): boolean;
  /**
   * Sets a cookie with the answer, whatever it is. Without options it is `HttpOnly; SameSite=Lax; Path=/`, over https also `Secure`. Any text can be
   * its value. If it is called twice for the same name, path and domain, the later one counts.
   *
   * @throws TypeError for a cookie that browsers would ignore, and once the response has been sent.
   */
  set(name: string, value: string, options?: CookieOptions): void;
  /**
   * Removes a cookie from the browser. Give it the `path` and `domain` with which the cookie was set, and its `sameSite` if that is `none`: browsers
   * ignore any other cookie in the answer to a request from another site, also one that removes.
   *
   * @throws TypeError once the response has been sent.
   */
  delete(name: string, options?: Pick<CookieOptions, 'domain' | 'partitioned' | 'path' | 'sameSite' | 'secure'>): void;
}

/**
 * The cookies of the request that is being answered, in routes, loaders, actions, middleware and their tasks.
 *
 * An answer for which cookies were read or set is never sent to others, even if `cache()` was called.
 *
 * @throws Error outside a request.
 * @see RFC 6265bis
 */
export function cookies(): Cookies {
  return new RequestCookies(currentContext('cookies()'));
}

/** The cookies that the answer sets, by name, path and domain. An entry without a value removes its cookie. */
type Changes = Map<string, { name: string; value: string | undefined }>;

class RequestCookies implements Cookies {
  readonly #context: RequestContext;

  constructor(context: RequestContext) {
    this.#context = context;
  }

  get(name: string): string | undefined {
    const changes = this.#changes();
    const last = changes && [...changes.values()].findLast((change) => change.name === name);
    return last ? last.value : this.#sent()[name];
  }

  getAll(): Cookie[] {
    const all = new Map(Object.entries(this.#sent()));
    for (const { name, value } of this.#changes()?.values() ?? []) all.set(name, value);
    return [...all].flatMap(([name, value]) => (value === undefined ? [] : [{ name, value }]));
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  set(name: string, value: string, options: CookieOptions = {}): void {
    this.#change({ name, value }, options);
  }

  delete(name: string, { domain, partitioned, path, sameSite, secure }: CookieOptions = {}): void {
    const options = { domain, partitioned, path, sameSite, secure, maxAge: 0, expires: new Date(0) };
    this.#change({ name, value: undefined }, options);
  }

  #changes(): Changes | undefined {
    return this.#context.cookies as Changes | undefined; // nobody else sets it
  }

  // Not cached: each call must read the headers, which record that the answer depends on them.
  #sent(): Record<string, string | undefined> {
    return readCookieHeader(this.#context.header('cookie'));
  }

  #change(change: { name: string; value: string | undefined }, options: CookieOptions): void {
    const { name, value = '' } = change;
    const header = toSetCookie(name, value, { url: this.#context.request.url, options });
    const key = [name, options.domain?.toLowerCase().replace(/^\./, ''), options.path ?? '/'].join('\n');
    const changes: Changes = this.#changes() ?? new Map();
    try {
      this.#context.setResponseHeaders((headers) => {
        if (changes.get(key) === change) headers.append('set-cookie', header);
      });
    } catch (error) {
      throw (error as CodedError).code === 'ERR_RESPONSE_SENT' ? tooLate(name) : error;
    }
    changes.delete(key);
    changes.set(key, change);
    this.#context.cookies = changes;
  }
}

function tooLate(name: string): CodedError {
  return codedError(
    'ERR_RESPONSE_SENT',
    `The cookie ${JSON.stringify(name)} was set after the response has already been sent. Set it before the handler returns; a deferred task ` +
      'and what is streamed are too late.',
  );
}
