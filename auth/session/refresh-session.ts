import { claimsOf, invalidIdToken } from './id-token-claims.ts';
import { discoveryOf } from './provider-discovery.ts';
import type { StoredSession } from './server-session.ts';
import { isSessionOver } from './session-over.ts';
import type { Settings } from './session-server-options.ts';
import { keyOf, outcomeOf, recordOutcome, sharedRefreshes } from './shared-refreshes.ts';
import type { Refresh } from './shared-refreshes.ts';
import { TokenResponse } from './token-response.ts';

/** How long before it expires a token is refreshed, so that it outlives its use in the route. */
const MARGIN_SECONDS = 60;
/**
 * How long a provider is not asked again for the tokens of a session after it has failed twice in a row: each request of each user would ask it, and wait for
 * it, while it is down or has too much to do.
 */
const REST_MS = 10_000;

/** Whether tokens have to be refreshed before a route uses them, and can be. */
export function mustRefresh(tokens: TokenResponse): boolean {
  return tokens.refreshToken !== undefined && !TokenResponse.isTokenFresh(tokens, MARGIN_SECONDS);
}

/**
 * Gets the next tokens of a session, once for all requests of this process that bring the same refresh token: a
 * provider that rotates them treats the second use of one as theft, and revokes the entire grant (RFC 9700 section
 * 4.14.2).
 *
 * @param hasWaited – whether this request has already waited for another one that was not answered, so that it does
 * not wait again.
 * @returns undefined when the user has signed out, or in again.
 * @throws TokenError when the provider refuses; ResponseError when it cannot be reached, or has answered for another user.
 */
export async function refreshedTokens(
  session: StoredSession,
  settings: Settings,
  hasWaited = false,
): Promise<TokenResponse | undefined> {
  const refreshes = sharedRefreshes();
  const key = keyOf(session.tokens, settings);
  const known = refreshes.get(key);
  if (known?.ended) return undefined;
  if (known) {
    const outcome = await outcomeOf(known);
    if (mustRest(known)) return tokensOf(known);
    // A slow route may have kept them in mind for longer than they live.
    if (!known.ended && outcome && 'tokens' in outcome && outcome.key !== key && mustRefresh(outcome.tokens))
      return refreshedTokens({ ...session, tokens: outcome.tokens }, settings);
    // If another request got no answer, as on workerd when its client has disconnected, this one tries once itself.
    const mayAsk = outcome && 'error' in outcome && !hasWaited && !isSessionOver(outcome.error);
    if (outcome && !mayAsk) return tokensOf(known);
    // Another waiting request may have begun meanwhile.
    if (known.ended || refreshes.get(key) !== known)
      return refreshedTokens(session, settings, hasWaited || mayAsk === true);
  }
  const refresh: Refresh = { at: Date.now(), failures: known ? failuresOf(known) : 0 };
  refreshes.set(key, refresh);
  const work = recordOutcome(refresh, nextTokens(session, settings), settings).then(() => {
    const isRefused = refresh.outcome && 'error' in refresh.outcome && isSessionOver(refresh.outcome.error);
    // The provider may return the same tokens after the next sign-in.
    if (isRefused && !refresh.ended && refreshes.get(key) === refresh) refreshes.delete(key);
  });
  // Its tokens are lost for the others, too, if it ends with its request.
  settings.runTask?.(() => work);
  await work;
  return tokensOf(refresh);
}

function mustRest(refresh: Refresh): boolean {
  // Not for long, either, if the clock has been set back.
  return failuresOf(refresh) >= 2 && Math.abs(Date.now() - refresh.at) < REST_MS;
}

function failuresOf({ failures = 0, outcome }: Refresh): number {
  return outcome && 'error' in outcome ? failures + 1 : failures;
}

function tokensOf({ ended, outcome }: Refresh): TokenResponse | undefined {
  if (ended) return undefined;
  if (outcome && 'tokens' in outcome) return outcome.tokens;
  throw outcome?.error;
}

async function nextTokens({ subject, tokens }: StoredSession, settings: Settings): Promise<TokenResponse> {
  const { clientAuthMethod, clientId, clientSecret } = settings;
  const next = new TokenResponse(tokens.getRequestConfig());
  await next.refreshAsync({ clientAuthMethod, clientId, clientSecret }, await discoveryOf(settings), settings);
  // If the session keeps no id_token, the users have not been compared yet (OpenID Connect Core section 12.2).
  if (next.idToken !== undefined && claimsOf(next.idToken)['sub'] !== subject) {
    throw invalidIdToken(new Error('sub is another user'));
  }
  return next;
}
