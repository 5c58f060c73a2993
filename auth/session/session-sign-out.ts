import { makeEndSessionUrl } from './end-session.ts';
import { revokeAsync } from './operations.ts';
import { discoveryOf } from './provider-discovery.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import { isFromOwnPage } from './same-origin.ts';
import { readSession } from './server-session.ts';
import type { StoredSession } from './server-session.ts';
import { answerJson, sendTo } from './session-answers.ts';
import { endedSessionCookies } from './session-cookie.ts';
import type { Settings } from './session-server-options.ts';
import { endRefreshes, outcomeOf } from './shared-refreshes.ts';
import type { Refresh } from './shared-refreshes.ts';
import type { TokenResponse } from './token-response.ts';

/**
 * Signs the user out here, revokes the tokens at the provider, and redirects the browser to the sign-out there. A page
 * that uses `fetch` with `Accept: application/json` receives that URL as `location`.
 *
 * @see OpenID Connect RP-Initiated Logout 1.0
 */
export async function signOut(request: Request, settings: Settings): Promise<Response> {
  if (!isFromOwnPage(request, settings.origin)) {
    return answerJson(403, { error: `Only pages of ${settings.origin} may sign the user out.` });
  }
  const session = await readSession(request, settings, { evenRefused: true });
  const location = session ? await leaveProvider(session, request, settings) : undefined;
  const next = location ?? signedOutUrl(settings);
  const cookies = endedSessionCookies(request, settings);
  const isAsked = request.headers.get('accept')?.includes('application/json');
  return isAsked ? answerJson(200, { location: next }, cookies) : sendTo(next, cookies);
}

/** Where the provider sends the user back to after signing out. */
export function endSignOut(settings: Settings): Response {
  return sendTo(signedOutUrl(settings));
}

// The browser forgets the session only with the answer, which a host may cut off after some seconds.
const PATIENCE_MS = 5000;

// The user is signed out here, whatever the provider answers.
async function leaveProvider(
  session: StoredSession,
  request: Request,
  settings: Settings,
): Promise<string | undefined> {
  const {
    allowInsecureRequests,
    basePath,
    clientId,
    idTokenHint,
    onError,
    origin,
    runTask,
    signOutParams: extraParams,
  } = settings;
  // Before any await: a refresh may be in progress, whose answer must not sign the user in again.
  const refreshes = endRefreshes(session, 'signed out', settings);
  const onFailure = (error: unknown): void => onError(error, request);
  const provider: { discovery?: DiscoveryDocument } = {};
  const revoke = async (): Promise<void> => {
    const discovery = (provider.discovery = await discoveryOf(settings));
    await revokeAll(session, refreshes, { discovery, onFailure, settings });
  };
  const revoking = revoke().catch(onFailure);
  if (!(await endsSoon(revoking))) runTask?.(() => revoking);
  const { discovery } = provider;
  if (!discovery?.endSessionEndpoint) return undefined;
  const postLogoutRedirectUri = `${origin}${basePath}/signed-out`;
  const idToken = idTokenHint ? session.tokens.idToken : undefined;
  try {
    return makeEndSessionUrl(
      { allowInsecureRequests, clientId, extraParams, idToken, postLogoutRedirectUri },
      discovery,
    );
  } catch (error) {
    onFailure(error);
    return undefined;
  }
}

async function endsSoon(work: Promise<void>): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PATIENCE_MS, false);
    // It does not fail.
    void work.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

/** Revokes the tokens of a session, and those that its refreshes get. */
async function revokeAll(
  session: StoredSession,
  refreshes: Refresh[],
  {
    discovery,
    onFailure,
    settings,
  }: { discovery: DiscoveryDocument; onFailure: (error: unknown) => void; settings: Settings },
): Promise<void> {
  const revoke = (tokens: TokenResponse): Promise<void> => revokeTokens(tokens, discovery, settings).catch(onFailure);
  await revoke(session.tokens);
  const later = await tokensOf(refreshes);
  // A provider that does not rotate refresh tokens returns the same one again.
  for (const next of later) if (next.refreshToken !== session.tokens.refreshToken) await revoke(next);
}

/** The tokens from refreshes, including those in progress. */
async function tokensOf(refreshes: Refresh[]): Promise<TokenResponse[]> {
  const outcomes = await Promise.all(refreshes.map(outcomeOf));
  return outcomes.flatMap((outcome) => (outcome && 'tokens' in outcome ? [outcome.tokens] : []));
}

// Revoking a refresh token also revokes its access tokens (RFC 7009 section 2.1).
async function revokeTokens(tokens: TokenResponse, discovery: DiscoveryDocument, settings: Settings): Promise<void> {
  if (!discovery.revocationEndpoint) return;
  const { clientAuthMethod, clientId, clientSecret } = settings;
  const token = tokens.refreshToken ?? tokens.accessToken;
  await revokeAsync({ clientAuthMethod, clientId, clientSecret, token }, discovery, settings);
}

function signedOutUrl({ origin, signedOutPath }: Settings): string {
  return new URL(signedOutPath, origin).href;
}
