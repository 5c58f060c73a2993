import { ResponseError } from './errors.ts';
import { claimsOf, invalidIdToken } from './id-token-claims.ts';
import { discoveryOf } from './provider-discovery.ts';
import type { StoredSession } from './server-session.ts';
import type { Settings } from './session-server-options.ts';
import { TokenResponse } from './token-response.ts';

interface Refresh {
  next: Promise<TokenResponse>;
  /** When it began, in milliseconds. */
  at: number;
}

/** How long before it expires a token is refreshed, so that it outlives what the route does with it. */
export const MARGIN_SECONDS = 60;
/** How long the next tokens are kept for requests that the browser has sent before it had the next cookie. */
const KEPT_MS = 60_000;
// Middleware and routes of a bundled app have each their own copy of this module, and must not refresh twice.
const REFRESHES = Symbol.for('appkit.auth.refreshes');

/**
 * Gets the next tokens of a session, once for all requests of this process that bring the same refresh token: a provider that
 * rotates them takes the second use of one for theft, and ends the whole grant (RFC 9700 section 4.14.2).
 *
 * @throws TokenError when the provider refuses; ResponseError when it cannot be reached, or has answered for another user.
 */
export async function refreshedTokens(session: StoredSession, settings: Settings): Promise<TokenResponse> {
  const shared = globalThis as { [REFRESHES]?: Map<string, Refresh> }; // nobody else has this symbol
  const refreshes = (shared[REFRESHES] ??= new Map());
  const now = Date.now();
  for (const [key, { at }] of refreshes) if (now - at > KEPT_MS) refreshes.delete(key);
  const { clientId, issuer } = settings;
  const key = JSON.stringify([issuer, clientId, session.tokens.refreshToken]);
  let refresh = refreshes.get(key);
  if (!refresh) {
    refresh = { next: nextTokens(session, settings), at: now };
    refreshes.set(key, refresh);
    // It may be tried again.
    refresh.next.catch(() => refreshes.delete(key));
  }
  return refresh.next;
}

async function nextTokens({ subject, tokens }: StoredSession, settings: Settings): Promise<TokenResponse> {
  const { clientAuthMethod, clientId, clientSecret } = settings;
  const next = new TokenResponse(tokens.getRequestConfig());
  const before = next.idToken;
  await next.refreshAsync({ clientAuthMethod, clientId, clientSecret }, await discoveryOf(settings), settings);
  // Where the session keeps no id_token, nothing has compared them yet (OpenID Connect Core section 12.2).
  if (next.idToken !== before && next.idToken !== undefined && claimsOf(next.idToken)['sub'] !== subject) {
    throw invalidIdToken(new Error('sub is another user'));
  }
  return next;
}

/** Whether a session has ended by a refresh: the provider no longer knows it, or speaks of somebody else. */
export function isSessionOver(error: unknown): boolean {
  return error instanceof ResponseError && (error.code === 'invalid_grant' || error.code === 'invalid_id_token');
}
