import { COOKIE_BYTES, cookieName, readCookies, toSetCookie } from './cookies.ts';
import type { Cookies } from './cookies.ts';
import { open, seal } from './sealed-text.ts';
import type { Opened } from './sealed-text.ts';
import type { Settings } from './session-server-options.ts';
import { getCurrentTimeInSeconds } from './current-time.ts';

// Node accepts 16 KB of headers by default, which include the user's other cookies.
const MAX_PARTS = 3;

/** Which sessions are read. */
export interface ReadOptions {
  /** Also one whose refresh was refused, to end it: a request of another instance may still store its next tokens. */
  evenRefused?: boolean;
}

/** Reads the session out of the cookies of a request; undefined without a valid session that this app has created. */
export async function readSessionCookie(
  request: Request,
  settings: Settings,
  { evenRefused = false }: ReadOptions = {},
): Promise<Opened | undefined> {
  const sealed = sealedOf(request, settings);
  if (sealed === undefined || (!evenRefused && isSessionRefused(request, settings))) return undefined;
  return open(sealed, 'session', settings);
}

/** Whether {@link refusedSessionCookies} have ended the session of a request. */
export function isSessionRefused(request: Request, settings: Settings): boolean {
  const sealed = sealedOf(request, settings);
  return sealed !== undefined && readCookies(request).get(refusedName(settings)) === tagOf(sealed);
}

function sealedOf(request: Request, settings: Settings): string | undefined {
  const cookies = readCookies(request);
  // The first part begins with the number of parts: others may be left from a longer session.
  const [, count, first] = /^([1-3])\.(.+)$/.exec(cookies.get(nameOf(0, settings)) ?? '') ?? [];
  const others = Array.from({ length: Number(count ?? 1) - 1 }, (_, index) => cookies.get(nameOf(index + 1, settings)));
  const parts = [first, ...others];
  return parts.includes(undefined) ? undefined : parts.join('');
}

/**
 * Creates the headers that store a session in the browser, and remove leftover parts of the previous one.
 *
 * @throws Error with code `ERR_AUTH_SESSION_SIZE` when it is too large for cookies.
 */
export async function sessionCookies(
  content: object,
  endsAt: number,
  { request, settings }: { request: Request; settings: Settings },
): Promise<string[]> {
  const sealed = await seal(content, endsAt, 'session', settings);
  const parts = sealed.match(new RegExp(`.{1,${COOKIE_BYTES}}`, 'g')) ?? [];
  if (parts.length > MAX_PARTS) {
    throw Object.assign(
      new Error(
        `The session has ${sealed.length} bytes, and ${MAX_PARTS * COOKIE_BYTES} are kept in cookies. This provider has long tokens: ` +
          'ask for fewer scopes, or keep fewer claims.',
      ),
      { code: 'ERR_AUTH_SESSION_SIZE' },
    );
  }
  const { origin } = settings;
  const maxAge = endsAt - getCurrentTimeInSeconds();
  const kept = parts.map((part, index) =>
    toSetCookie(nameOf(index, settings), index === 0 ? `${parts.length}.${part}` : part, { maxAge, origin }),
  );
  return [...kept, ...removed(readCookies(request), parts.length, settings)];
}

/** Creates the headers that remove the session from the browser: none if it has no session. */
export function endedSessionCookies(request: Request, settings: Settings): string[] {
  return removed(readCookies(request), 0, settings);
}

/**
 * Creates the headers that end the session of a request, whose refresh was refused, but no other one. Another instance may have refreshed it a moment ago, and
 * its answer may come before or after this one: so the cookie of the session stays, and a second one says which is not valid.
 */
export function refusedSessionCookies(request: Request, endsAt: number, settings: Settings): string[] {
  const maxAge = endsAt - getCurrentTimeInSeconds();
  const { origin } = settings;
  return [toSetCookie(refusedName(settings), tagOf(sealedOf(request, settings) ?? ''), { maxAge, origin })];
}

function removed(cookies: Cookies, from: number, settings: Settings): string[] {
  const names = Array.from({ length: MAX_PARTS }, (_, index) => nameOf(index, settings)).slice(from);
  const { origin } = settings;
  return [...names, refusedName(settings)]
    .filter((name) => cookies.has(name))
    .map((name) => toSetCookie(name, '', { maxAge: 0, origin }));
}

function nameOf(index: number, settings: Settings): string {
  const suffix = index === 0 ? '' : `.${index}`;
  return cookieName(settings.cookieName, settings.origin) + suffix;
}

function refusedName(settings: Settings): string {
  return `${nameOf(0, settings)}.refused`;
}

// The authentication tag, with which a JWE ends, differs each time that a session is stored (RFC 7516 section 3.1).
function tagOf(sealed: string): string {
  return sealed.slice(-22);
}
