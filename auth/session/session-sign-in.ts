import { answerState } from './answer-state.ts';
import { AuthRequest } from './auth-request.ts';
import type { ClientKey } from './client-key.ts';
import { codedTypeError } from './coded-error.ts';
import { AuthError, ResponseError } from './errors.ts';
import { claimsOf } from './id-token-claims.ts';
import { exchangeCodeAsync } from './operations.ts';
import { answeredCookie, pendingCookies, readPending } from './pending-sign-in.ts';
import type { PendingSignIn } from './pending-sign-in.ts';
import { discoveryOf } from './provider-discovery.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import { toReturnUrl } from './return-to.ts';
import { readPostedName } from './posted-name.ts';
import { parseReturnParams } from './return-url.ts';
import { readSession, writtenSession } from './server-session.ts';
import { answerJson, sendTo } from './session-answers.ts';
import type { ProviderUser, Settings } from './session-server-options.ts';
import { failedSignIn } from './session-sign-in-failure.ts';
import { endRefreshes, keyOf, newestTokens } from './shared-refreshes.ts';
import { getCurrentTimeInSeconds } from './current-time.ts';
import type { TokenResponse } from './token-response.ts';
import { untilAborted } from './until-aborted.ts';
import { fetchUserInfoAsync } from './user-info.ts';

// As for a request of our own.
const TIMEOUT_MS = 30_000;

/** Sends the user to the provider. `returnTo` in the query is the path of the app to go to afterwards. */
export async function beginSignIn(request: Request, settings: Settings): Promise<Response> {
  const path = new URL(request.url).searchParams.get('returnTo') ?? '/';
  const returnTo = toReturnUrl(path, settings.origin);
  if (returnTo === undefined)
    return answerJson(400, { error: 'returnTo is not a path of this app, such as /account.' });
  try {
    const authRequest = new AuthRequest(requestConfig(settings));
    const url = await makeUrl(authRequest, await discoveryOf(settings), settings);
    const { codeVerifier, nonce, state } = authRequest;
    return sendTo(url, await pendingCookies({ codeVerifier, nonce, returnTo, state }, request, settings));
  } catch (error) {
    return failedSignIn(error, { request, returnTo, settings });
  }
}

async function makeUrl(request: AuthRequest, discovery: DiscoveryDocument, settings: Settings): Promise<string> {
  const { pushRequests, requestKey } = settings;
  const sign = async (key: ClientKey): Promise<string> => {
    const { signAuthRequestAsync } = await import('./jar.ts');
    return signAuthRequestAsync(request, discovery, { key });
  };
  const whole = await (requestKey ? sign(requestKey) : request.makeAuthUrlAsync(discovery));
  const isRequired = discovery.discoveryDocument?.['require_pushed_authorization_requests'] === true;
  if (!isRequired && !pushRequests) return whole;
  const { push } = await import('./push-request.ts');
  return (await push(request, whole, discovery, settings)).url;
}

/** Ends a sign-in: the provider has sent the user back. */
export async function endSignIn(request: Request, settings: Settings): Promise<Response> {
  const state = answerState(parseReturnParams(request.url).params) ?? '';
  const pending = await readPending(state, request, settings);
  if (!pending) {
    // The back button led to the provider, which sent the user here again. The session stays as it is.
    if (await readSession(request, settings)) return sendTo(`${settings.origin}/`);
    // Begun in another browser, perhaps by an attacker who wants the user to be signed in as them (RFC 9700 section
    // 4.7).
    const error = new AuthError({ error: 'state_mismatch' });
    return failedSignIn(error, { request, returnTo: `${settings.origin}/`, settings });
  }
  const { returnTo } = pending;
  const answered = answeredCookie(state, settings);
  try {
    const cookies = await startSession(pending, request, settings);
    return sendTo(returnTo, [answered, ...cookies]);
  } catch (error) {
    // A signed-in user stays signed in: any site can send a user here, who then cancels.
    return failedSignIn(error, { cookies: [answered], request, returnTo, settings });
  }
}

async function startSession(pending: PendingSignIn, request: Request, settings: Settings): Promise<string[]> {
  const discovery = await discoveryOf(settings);
  const { codeVerifier, nonce, state } = pending;
  const authRequest = new AuthRequest({ ...requestConfig(settings), codeVerifier, nonce, state });
  // The answer is compared with the values of the request, including its issuer.
  await authRequest.makeAuthUrlAsync(discovery);
  const { error, params } = await authRequest.parseReturnUrlAsync(request.url, settings);
  if (error) throw error;
  const tokens = await exchange(params, authRequest, { discovery, settings });
  const endsAt = getCurrentTimeInSeconds() + settings.sessionSeconds;
  const session = { ...(await readUser(tokens, discovery, { request, settings })), tokens, endsAt };
  const cookies = await writtenSession(session, request, settings);
  await endPrevious(tokens, request, settings);
  return cookies;
}

// A route that began with the session of before, perhaps of another user, must not store that one again when it ends.
async function endPrevious(tokens: TokenResponse, request: Request, settings: Settings): Promise<void> {
  const previous = await readSession(request, settings, { evenRefused: true });
  if (!previous) return;
  // Some providers return the same tokens until they expire.
  const isSame = keyOf(newestTokens(previous, settings), settings) === keyOf(tokens, settings);
  if (!isSame) endRefreshes(previous, 'replaced', settings);
}

async function exchange(
  params: Record<string, string>,
  { codeVerifier, nonce, redirectUri }: AuthRequest,
  { discovery, settings }: { discovery: DiscoveryDocument; settings: Settings },
): Promise<TokenResponse> {
  const { clientAuthMethod, clientId, clientSecret, extraParams = {} } = settings;
  const { max_age: maxAge } = extraParams;
  return exchangeCodeAsync(
    {
      clientAuthMethod,
      clientId,
      clientSecret,
      codeVerifier,
      nonce,
      redirectUri,
      code: params['code'] ?? '',
      issuer: params['iss'],
      maxAge: maxAge === undefined ? undefined : Number(maxAge),
    },
    discovery,
    settings,
  );
}

/** The signed-in user. Wanted claims that are missing in the id_token are requested from the provider. */
async function readUser(
  tokens: TokenResponse,
  discovery: DiscoveryDocument,
  { request, settings }: { request: Request; settings: Settings },
): Promise<{ subject: string; claims: Record<string, unknown> }> {
  // In JavaScript, it may return no promise.
  if (settings.readUser) return askUser(Promise.resolve(settings.readUser(tokens.accessToken)), settings);
  // With the scope openid, the exchange has required and checked an id_token.
  const issued = claimsOf(tokens.idToken ?? '');
  const { sub } = issued;
  if (typeof sub !== 'string') throw new ResponseError({ error: 'invalid_id_token' }, 'The id_token names no user.');
  const isWhole = settings.claims.every((name) => issued[name] !== undefined);
  const mustAsk = !isWhole && discovery.userInfoEndpoint !== undefined;
  const told = mustAsk ? await furtherClaims(tokens, discovery, { request, settings }) : {};
  // The name is not signed, so the provider's own claims come first.
  const name = await readPostedName(request, settings);
  const all: Record<string, unknown> = { name, ...told, ...issued };
  // The cookie does not keep those that are undefined.
  const claims = settings.claims.map((name) => [name, asClaim(name, all[name])]);
  return { subject: sub, claims: Object.fromEntries(claims) };
}

// Apple and Amazon Cognito write `email_verified` as text, and the text "false" counts as true (OpenID Connect Core section 5.1).
function asClaim(name: string, value: unknown): unknown {
  return /^(email|phone_number)_verified$/.test(name) && typeof value === 'string' ? value === 'true' : value;
}

async function askUser(
  asked: Promise<ProviderUser>,
  { timeoutMs = TIMEOUT_MS }: Settings,
): Promise<{ subject: string; claims: Record<string, unknown> }> {
  const { subject, claims = {} } = (await untilAborted(asked, AbortSignal.timeout(timeoutMs))) ?? {};
  if (typeof subject !== 'string' || subject === '') {
    throw argumentError('readUser has returned no subject. It must be the id of the user, as a string.');
  }
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims)) {
    throw argumentError('readUser has returned claims that are not an object.');
  }
  return { subject, claims };
}

function argumentError(message: string): TypeError {
  return codedTypeError('ERR_AUTH_ARGUMENT', message);
}

// The id_token has named the user. Microsoft Entra, for one, refuses the access token here when it is for another API.
async function furtherClaims(
  tokens: TokenResponse,
  discovery: DiscoveryDocument,
  { request, settings }: { request: Request; settings: Settings },
): Promise<Record<string, unknown>> {
  try {
    return await fetchUserInfoAsync(tokens, discovery, settings);
  } catch (error) {
    if (!isTokenRefused(error)) throw error;
    settings.onError(error, request);
    return {};
  }
}

// RFC 6750 section 3.1.
function isTokenRefused(error: unknown): boolean {
  const { code, info } = error as { code?: unknown; info?: { status?: unknown } };
  if (code === 'invalid_response') return info?.status === 401 || info?.status === 403;
  return code === 'invalid_token' || code === 'insufficient_scope';
}

function requestConfig(settings: Settings): ConstructorParameters<typeof AuthRequest>[0] {
  const { allowInsecureRequests, clientId, clientSecret, clockToleranceSeconds, extraParams, prompt, scopes } =
    settings;
  const redirectUri = `${settings.origin}${settings.basePath}/callback`;
  const client = { allowInsecureRequests, clientId, clientSecret, clockToleranceSeconds };
  return { ...client, extraParams, prompt, redirectUri, scopes };
}
