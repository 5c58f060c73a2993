import { getCurrentTimeInSeconds, TokenResponse, type TokenResponseConfig } from 'appkit-auth-session/core';
import { setResponseHeaders } from 'appkit-server';
import { open, seal } from './seal.ts';
import { appOrigin } from './settings.ts';

/**
 * Who is signed in, and the tokens that say so.
 *
 * It travels in a cookie that only this app can read, so it needs no database, and every server of the app can answer every
 * request. The price: browsers keep 4096 bytes of a cookie, and a cookie that was copied stays good until the provider
 * is told (sign-out) or `endsAt`. To end sessions from the server, keep them in a database and put a random key here.
 */
export interface Session {
  /** The user, as the provider names them. */
  subject: string;
  tokens: TokenResponse;
  /** When the user has to sign in again, in seconds since 1970. */
  endsAt: number;
}

/** How long a user stays signed in. */
export const SESSION_SECONDS = 7 * 24 * 60 * 60;

const MAX_COOKIE_BYTES = 4096;

/** The session of a request, when this app has made it and it has not ended. */
export async function readSession(request: Request): Promise<Session | undefined> {
  const text = await open(cookieValue(request) ?? '');
  if (text === undefined) return undefined;
  const { tokens, ...session } = JSON.parse(text) as Session & { tokens: TokenResponseConfig }; // sealed, so we wrote it
  return session.endsAt > getCurrentTimeInSeconds() ? { ...session, tokens: new TokenResponse(tokens) } : undefined;
}

/** Puts the session into the answer to come, whichever that is: refreshed tokens must not be lost with an error. */
export async function writeSession(session: Session, request: Request): Promise<void> {
  // Without the id_token: it is about 1 KB, and has said all it has to say at sign-in.
  const { idToken: _, ...tokens } = session.tokens.getRequestConfig();
  const cookie = toSetCookie(await seal(JSON.stringify({ ...session, tokens })), session.endsAt, request);
  if (cookie.length > MAX_COOKIE_BYTES)
    throw new Error(
      `The session cookie would have ${cookie.length} bytes, and browsers keep ${MAX_COOKIE_BYTES}. This provider has long ` +
        'tokens: ask for fewer scopes, or keep sessions in a database (server/session.ts).',
    );
  setResponseHeaders({ 'set-cookie': cookie });
}

/** Takes the session out of the browser, with the answer to come. */
export function endSession(request: Request): void {
  setResponseHeaders({ 'set-cookie': toSetCookie('', getCurrentTimeInSeconds(), request) });
}

function toSetCookie(value: string, endsAt: number, request: Request): string {
  const maxAge = endsAt - getCurrentTimeInSeconds();
  const attributes = [`${cookieName(request)}=${value}`, 'Path=/', `Max-Age=${maxAge}`, 'HttpOnly', 'SameSite=Lax'];
  if (isSecure(request)) attributes.push('Secure');
  return attributes.join('; ');
}

function cookieValue(request: Request): string | undefined {
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  const start = `${cookieName(request)}=`;
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length);
}

// The prefix has the browser refuse a cookie of that name from a subdomain, or from http. It asks for Secure.
function cookieName(request: Request): string {
  return isSecure(request) ? '__Host-session' : 'session';
}

function isSecure(request: Request): boolean {
  return appOrigin(request).startsWith('https:');
}
