import { isSameSecret, sign } from './secret.ts';

/** Who is signed in. */
export interface Session {
  user: string;
  /** When the session ends, in milliseconds since 1970. */
  expiresAtMs: number;
}

const COOKIE = 'session';
const LIFETIME_SECONDS = 60 * 60;

/** A `Set-Cookie` value that signs a user in. The cookie is readable by the user and signed by us. */
export function createSessionCookie(user: string, request: Request): string {
  const session: Session = { user, expiresAtMs: Date.now() + LIFETIME_SECONDS * 1000 };
  const payload = Buffer.from(JSON.stringify(session)).toString('base64url');
  return toSetCookie(`${payload}.${sign(payload)}`, LIFETIME_SECONDS, request);
}

/** A `Set-Cookie` value that signs the user out. */
export function clearSessionCookie(request: Request): string {
  return toSetCookie('', 0, request);
}

/** The session of a request, when its cookie was signed by this server and has not expired. */
export function readSession(request: { headers: Headers }): Session | undefined {
  const [payload = '', signature = ''] = (cookieValue(request.headers) ?? '').split('.');
  if (!payload || !isSameSecret(signature, sign(payload))) return undefined;

  const session = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Session; // signed, so we have written it
  return session.expiresAtMs > Date.now() ? session : undefined;
}

function toSetCookie(value: string, maxAgeSeconds: number, request: Request): string {
  const attributes = [`${COOKIE}=${value}`, 'Path=/', `Max-Age=${maxAgeSeconds}`, 'HttpOnly', 'SameSite=Lax'];
  // Over plain http, as on localhost, not every browser would keep a Secure cookie.
  if (new URL(request.url).protocol === 'https:') attributes.push('Secure');
  return attributes.join('; ');
}

function cookieValue(headers: Headers): string | undefined {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
}
