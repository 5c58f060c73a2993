/**
 * Sessions in a cookie, encrypted and signed. Install `cookie` and `jose`.
 *
 * @module
 */
import { cookies } from './cookies.ts';
import type { CookieOptions } from './cookies.ts';
import { codedError } from './http/coded-error.ts';
import type { CodedError } from './http/coded-error.ts';
import { createSeal } from './http/sealed-value.ts';
import type { Seal, Sealed } from './http/sealed-value.ts';
import { currentContext, requestStore } from './request/context.ts';

/** Options of a session. */
export interface SessionOptions extends Pick<CookieOptions, 'domain' | 'httpOnly' | 'sameSite'> {
  /**
   * The secrets that encrypt the cookie, at least 32 characters each, such as the output of `openssl rand -base64 32`.
   * The first secret encrypts, all of them decrypt: to change it, put the new one in front, and remove the old one
   * after `maxAge`. If a release replaces instances one by one, release the new one behind the old one first. A function
   * is called when a request first needs them, so that an export needs no secret.
   */
  secrets: readonly string[] | (() => readonly string[]);
  /**
   * The name of the cookie. Over https, it gets the prefix `__Host-`, or `__Secure-` with a `domain`. Default:
   * `session`.
   */
  name?: string | undefined;
  /** How long a session lasts, in seconds. Default: 1209600, two weeks. */
  maxAge?: number | undefined;
  /** Whether using a session makes it last for another `maxAge`. Default: `false`: it ends `maxAge` after `set()`. */
  sliding?: boolean | undefined;
  /** Whether only the app can read it. With `false`, it is only signed: the user can read the data, but not change it. Default: `true`. */
  encrypted?: boolean | undefined;
}

/** The session of the visitor whose request is being answered. */
export interface Session<Data extends object> {
  /**
   * The data of the visitor. `undefined` if there is no session, if it has ended, or if this app did not create the
   * cookie.
   */
  get(): Promise<Data | undefined>;
  /**
   * Starts a session, or starts it over. Await it before the route answers.
   *
   * @param data – a value for JSON, with the cookie's name and attributes less than 4096 bytes once encrypted: about 3000.
   * @throws TypeError if it is too large, and once the response has been sent.
   */
  set(data: Data): Promise<void>;
  /**
   * Changes the data, and not how long the session lasts. Await it before the route answers. A session that is ended meanwhile stays ended.
   *
   * @param change – returns the new data; called with the current data, and again if other code of the request has
   * changed them meanwhile.
   * @throws TypeError if it is too large, and once the response has been sent.
   */
  update(change: (data: Data | undefined) => Data): Promise<Data>;
  /**
   * Ends the session in this browser. A copy of the cookie stays valid until it expires.
   *
   * @throws TypeError once the response has been sent.
   */
  destroy(): void;
}

const TWO_WEEKS = 14 * 24 * 60 * 60;
/** Browsers keep no cookie longer (RFC 6265bis section 5.5). */
const LONGEST = 400 * 24 * 60 * 60;
/** A sliding session is rewritten after this fraction of its time, not for each request. */
const RENEWED_AFTER = 0.1;

/**
 * Creates a session that is stored in a cookie of the visitor, so that it works on every host and needs no store.
 *
 * ```ts
 * export const session = createSession<{ userId: string }>({ secrets: () => [process.env['SESSION_SECRET'] ?? ''] });
 * ```
 *
 * @throws TypeError with code `ERR_OPTION_INVALID` for an invalid option.
 */
export function createSession<Data extends object>(options: SessionOptions): Session<Data> {
  const { secrets, name = 'session', maxAge = TWO_WEEKS, sliding = false, encrypted = true } = options;
  const { domain, httpOnly, sameSite } = options;
  assertOptions({ name, maxAge });
  const toSeals = (given: readonly string[]): [Seal, ...Seal[]] => {
    assertSecrets(given);
    return given.map((secret) => createSeal(secret, `session ${name}`, encrypted)) as [Seal, ...Seal[]]; // at least one
  };
  let seals = typeof secrets === 'function' ? undefined : toSeals(secrets);
  const sealsOf = (): [Seal, ...Seal[]] => (seals ??= toSeals((secrets as () => readonly string[])()));

  const cookieName = (helper: string): string => {
    const isSecure = currentContext(helper).request.url.startsWith('https:');
    return isSecure ? `${domain === undefined ? '__Host-' : '__Secure-'}${name}` : name;
  };
  const write = (cookie: string, value: string, endsAt: number): void =>
    cookies().set(cookie, value, { domain, httpOnly, sameSite, maxAge: Math.max(0, endsAt - now()) });

  const read = async (cookie: string): Promise<Sealed | undefined> => {
    const text = cookies().get(cookie);
    if (text === undefined) return undefined;
    for (const [index, seal] of sealsOf().entries()) {
      const sealed = await seal.open(text);
      if (!sealed) continue;
      const isDue = sliding && now() - sealed.startsAt > maxAge * RENEWED_AFTER;
      if (index === 0 && !isDue) return sealed;
      const renewed = isDue ? { data: sealed.data, ...span(maxAge) } : sealed;
      const value = await sealsOf()[0].close(renewed);
      // Not if other code has ended or changed the session meanwhile.
      if (cookies().get(cookie) === text) unlessSent(() => write(cookie, value, renewed.endsAt));
      return renewed;
    }
    return undefined;
  };

  const set = async (data: Data): Promise<void> => {
    const cookie = cookieName('session.set()');
    const sealed = { data, ...span(maxAge) };
    write(cookie, await sealsOf()[0].close(sealed), sealed.endsAt);
  };

  const update: Session<Data>['update'] = async (change) => {
    const cookie = cookieName('session.update()');
    for (;;) {
      // Before it is read: other code may change it while it is opened.
      const before = cookies().get(cookie);
      const present = await read(cookie);
      const data = change(present?.data as Data | undefined); // what set() was given
      const sealed = { ...(present ?? span(maxAge)), data };
      const value = await sealsOf()[0].close(sealed);
      const isEnded = present !== undefined && !cookies().has(cookie);
      const isChanged = cookies().get(cookie) !== before;
      if (isEnded) return data;
      if (isChanged) continue;
      write(cookie, value, sealed.endsAt);
      return data;
    }
  };

  return {
    async get() {
      return (await read(cookieName('session.get()')))?.data as Data | undefined; // what set() was given
    },
    set: (data) => reportLate(set(data)),
    update: (change) => reportLate(update(change)),
    destroy() {
      const cookie = cookieName('session.destroy()');
      cookies().delete(cookie, { domain, sameSite });
    },
  };
}

const now = (): number => Math.floor(Date.now() / 1000);

function span(maxAge: number): Pick<Sealed, 'startsAt' | 'endsAt'> {
  const startsAt = now();
  return { startsAt, endsAt: startsAt + maxAge };
}

/**
 * Reports a change that fails after the response, since the route may not have awaited it: nobody would handle its
 * rejection, which would end the process.
 */
function reportLate<Result>(change: Promise<Result>): Promise<Result> {
  const reported = new Promise<Result>((resolve, reject) => {
    change.then(resolve, (error: unknown) => {
      if (requestStore().getStore()?.reportLate?.(error)) reported.catch(() => undefined);
      reject(error);
    });
  });
  return reported;
}

// A task that only reads, or a stream: the next request rewrites the cookie.
function unlessSent(run: () => void): void {
  try {
    run();
  } catch (error) {
    if ((error as CodedError).code !== 'ERR_RESPONSE_SENT') throw error;
  }
}

function assertOptions({ name, maxAge }: { name: string; maxAge: number }): void {
  if (!/^[\w-]+$/.test(name) || /^__(?:host|secure|http)-/i.test(name)) {
    throw codedError(
      'ERR_OPTION_INVALID',
      `The option name of createSession() is ${JSON.stringify(name)}. Use letters, digits, - and _, without a prefix such as __Host-, which ` +
        'is added over https.',
    );
  }
  if (!Number.isInteger(maxAge) || maxAge < 1 || maxAge > LONGEST) {
    throw codedError(
      'ERR_OPTION_INVALID',
      `The option maxAge of createSession() is ${String(maxAge)}. Give a whole number of seconds, at most ${LONGEST}, which is 400 days.`,
    );
  }
}

function assertSecrets(secrets: readonly unknown[]): void {
  const advice = 'Make one with openssl rand -base64 32, and keep it in a variable of the environment.';
  if (!Array.isArray(secrets) || secrets.length === 0) {
    throw codedError('ERR_OPTION_INVALID', `The option secrets of createSession() lists no secret. ${advice}`);
  }
  for (const [index, secret] of secrets.entries()) {
    if (typeof secret === 'string' && secret.length >= 32) continue;
    const what = typeof secret === 'string' ? `has ${secret.length} characters` : `is of type ${typeof secret}`;
    throw codedError(
      'ERR_OPTION_INVALID',
      `The option secrets of createSession(): secrets[${index}] ${what}, and must have at least 32. ${advice}`,
    );
  }
}
