import { ResponseError } from './errors.ts';
import { claimsOf, invalidIdToken } from './id-token-claims.ts';
import { discoveryOf } from './provider-discovery.ts';
import type { StoredSession } from './server-session.ts';
import type { Settings } from './session-server-options.ts';
import { TokenResponse } from './token-response.ts';

/** What is known of a refresh. No promise: on workerd a request cannot wait for one of another request, which may have ended. */
interface Refresh {
  /** When it began, in milliseconds. */
  at: number;
  /** What came of it, once it is over. */
  outcome?: { tokens: TokenResponse } | { error: unknown };
}

/** How long before it expires a token is refreshed, so that it outlives what the route does with it. */
export const MARGIN_SECONDS = 60;
/** How long the next tokens are kept for requests that the browser has sent before it had the next cookie. */
const KEPT_MS = 60_000;
/** After this long without an outcome, whoever began it is gone: a provider that is well answers sooner. */
const GONE_MS = 10_000;
/** How often a request looks whether the refresh of another one is over. */
const LOOK_MS = 20;
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
  const known = refreshes.get(key);
  if (known) {
    const outcome = await outcomeOf(known);
    if (outcome && 'tokens' in outcome) return outcome.tokens;
    if (outcome) throw outcome.error;
    // Another one that has waited may have begun by now.
    if (refreshes.get(key) !== known) return refreshedTokens(session, settings);
  }
  const refresh: Refresh = { at: Date.now() };
  refreshes.set(key, refresh);
  const work = nextTokens(session, settings).then(
    (tokens) => void (refresh.outcome = { tokens }),
    (error: unknown) => {
      refresh.outcome = { error };
      // It may be tried again.
      if (refreshes.get(key) === refresh) refreshes.delete(key);
    },
  );
  // Its tokens are lost for the others, too, if it ends with its request.
  settings.runTask?.(() => work);
  await work;
  const { outcome } = refresh;
  if (outcome && 'tokens' in outcome) return outcome.tokens;
  throw outcome?.error;
}

async function outcomeOf(refresh: Refresh): Promise<Refresh['outcome']> {
  while (!refresh.outcome && Date.now() - refresh.at < GONE_MS) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return refresh.outcome;
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
