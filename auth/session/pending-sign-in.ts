import { COOKIE_BYTES, cookieName, readCookies, toSetCookie } from './cookies.ts';
import { open, seal } from './sealed-text.ts';
import type { Settings } from './session-server-options.ts';
import { getCurrentTimeInSeconds } from './current-time.ts';

/**
 * The values that the provider's answer is compared with. Only the browser that began the sign-in stores them, and
 * cannot read them.
 */
export interface PendingSignIn {
  codeVerifier: string | undefined;
  nonce: string | undefined;
  /** Where the user goes afterwards: a URL of the app. */
  returnTo: string;
  state: string;
}

/** How long the user may take at the provider. */
const PENDING_SECONDS = 10 * 60;
// One per tab. More would bloat the headers of every request.
const MAX_PENDING = 4;
// Each may have this many bytes, and more while all of them together have no more than one cookie: with four long ones,
// servers refuse every request, until the browser forgets them.
const SHARE_BYTES = 760;

/** Creates the headers that keep a sign-in in the browser until the user is back. */
export async function pendingCookies(pending: PendingSignIn, request: Request, settings: Settings): Promise<string[]> {
  const { origin } = settings;
  // A browser sends the older ones first (RFC 6265 section 5.4).
  const older = [...readCookies(request)].filter(([name]) => name.startsWith(nameOf('', settings)));
  const surplus = older.splice(0, Math.max(0, older.length + 1 - MAX_PENDING));
  const used = older.reduce((bytes, [, value]) => bytes + value.length, 0);
  const sealed = await sealPending(pending, Math.max(SHARE_BYTES, COOKIE_BYTES - used), settings);
  return [
    toSetCookie(nameOf(pending.state, settings), sealed, { maxAge: PENDING_SECONDS, origin }),
    ...surplus.map(([name]) => toSetCookie(name, '', { maxAge: 0, origin })),
  ];
}

// The browser drops a longer cookie silently: then the sign-in could not end. So a long return URL loses its query, or
// all of its path.
async function sealPending(pending: PendingSignIn, maxBytes: number, settings: Settings): Promise<string> {
  const endsAt = getCurrentTimeInSeconds() + PENDING_SECONDS;
  const { origin, pathname } = new URL(pending.returnTo);
  for (const returnTo of [pending.returnTo, origin + pathname]) {
    const sealed = await seal({ ...pending, returnTo }, endsAt, 'sign-in', settings);
    if (sealed.length <= maxBytes) return sealed;
  }
  return seal({ ...pending, returnTo: `${origin}/` }, endsAt, 'sign-in', settings);
}

/**
 * Finds the sign-in that an answer belongs to; undefined when this browser has not begun it, or began it too long ago.
 */
export async function readPending(
  state: string,
  request: Request,
  settings: Settings,
): Promise<PendingSignIn | undefined> {
  const sealed = readCookies(request).get(nameOf(state, settings));
  // Sealed, so we wrote it.
  const pending = sealed && ((await open(sealed, 'sign-in', settings))?.content as PendingSignIn | undefined);
  return pending && pending.state === state ? pending : undefined;
}

/** Creates the header that removes a sign-in from the browser: it is answered only once. */
export function answeredCookie(state: string, { origin, ...settings }: Settings): string {
  return toSetCookie(nameOf(state, { origin, ...settings }), '', { maxAge: 0, origin });
}

// Named after the beginning of the state, so that two tabs do not use each other's.
function nameOf(state: string, settings: Pick<Settings, 'cookieName' | 'origin'>): string {
  return cookieName(`${settings.cookieName}-sign-in-${state.slice(0, 8)}`, settings.origin);
}
