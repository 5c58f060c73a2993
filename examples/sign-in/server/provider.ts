import {
  type DiscoveryDocument,
  exchangeCodeAsync,
  fetchDiscoveryAsync,
  fetchUserInfoAsync,
  getCurrentTimeInSeconds,
  ResponseError,
  revokeAsync,
  TokenError,
} from 'appkit-auth-session/core';
import { StatusError } from 'appkit-server';
import type { Profile } from './answers.ts';
import { endSession, type Session, SESSION_SECONDS, writeSession } from './session.ts';
import { appOrigin, settings } from './settings.ts';

/** What the page has from the provider, to be shown for tokens. */
export interface Grant {
  code: string;
  codeVerifier: string;
  nonce: string;
}

/** Exchanges the code of a sign-in for tokens, with the secret of the client. */
export async function startSession(grant: Grant, request: Request): Promise<Session> {
  // Made here, and not what the page says. The provider compares it with that of the sign-in.
  const redirectUri = `${appOrigin(request)}/callback`;
  const tokens = await exchangeCodeAsync({ ...client(), ...grant, redirectUri }, await discovery()).catch((error) => {
    if (isRefusal(error)) throw new StatusError(400, 'The provider does not know this sign-in. Sign in again.');
    throw error;
  });
  if (tokens.idToken === undefined) throw new Error('The provider has sent no id_token. SCOPES must have openid.');
  const endsAt = getCurrentTimeInSeconds() + SESSION_SECONDS;
  const session = { subject: subjectOf(tokens.idToken), tokens, endsAt };
  await writeSession(session, request);
  return session;
}

/** Gets the next access token. Whoever has been refused by the provider is signed out. */
export async function refreshSession(session: Session, request: Request): Promise<void> {
  await session.tokens.refreshAsync(client(), await discovery()).catch((error) => {
    throw isRefusal(error) ? signedOut(request) : error;
  });
  await writeSession(session, request);
}

/** Asks the provider about the user; undefined when it no longer takes the access token. */
export async function readProfile({ subject, tokens }: Session): Promise<Profile | undefined> {
  const claims = await fetchUserInfoAsync(tokens, await discovery()).catch((error) => {
    if (error instanceof ResponseError && error.code === 'invalid_token') return undefined;
    throw error;
  });
  if (claims === undefined) return undefined;
  // OpenID Connect Core section 5.3.2.
  if (claims['sub'] !== subject)
    throw new Error('The provider has told about another user than the one who signed in.');
  return {
    name: text(claims['name']) ?? text(claims['email']) ?? subject,
    email: text(claims['email']),
    picture: text(claims['picture']),
    scopes: tokens.scope?.split(' ') ?? settings().scopes,
    expiresAt: tokens.expiresIn === undefined ? null : tokens.issuedAt + tokens.expiresIn,
  };
}

/** Has the provider forget the tokens, where it can. With a refresh token go the access tokens that it has given. */
export async function revokeTokens({ tokens }: Session): Promise<void> {
  const document = await discovery();
  if (document.revocationEndpoint === undefined) return;
  await revokeAsync({ ...client(), token: tokens.refreshToken ?? tokens.accessToken }, document);
}

/** Ends a session that there is not, or that the provider no longer knows. For what only pages of this app can ask. */
export function signedOut(request: Request): StatusError {
  endSession(request);
  return notSignedIn();
}

/** For whoever has no session. Leaves the cookie alone. */
export function notSignedIn(): StatusError {
  return new StatusError(401, 'You are not signed in.');
}

let known: DiscoveryDocument | undefined;

/** Fetched once. Each route has its own copy of this module, and so of the document. */
async function discovery(): Promise<DiscoveryDocument> {
  return (known ??= await fetchDiscoveryAsync(settings().issuer));
}

function client(): { clientId: string; clientSecret: string } {
  const { clientId, clientSecret } = settings();
  return { clientId, clientSecret };
}

/** The code or refresh token is wrong or used, or the id_token is not for this sign-in. All else is for the log. */
function isRefusal(error: unknown): boolean {
  if (error instanceof TokenError) return error.code === 'invalid_grant';
  return error instanceof ResponseError && error.code === 'invalid_id_token';
}

function subjectOf(idToken: string): string {
  const payload = Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString();
  return (JSON.parse(payload) as { sub: string }).sub; // the exchange has checked it
}

function text(claim: unknown): string | null {
  return typeof claim === 'string' ? claim : null;
}
