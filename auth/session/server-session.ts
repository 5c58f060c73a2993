import { readSessionCookie, sessionCookies } from './session-cookie.ts';
import type { ReadOptions } from './session-cookie.ts';
import type { Settings } from './session-server-options.ts';
import { TokenResponse } from './token-response.ts';
import type { TokenResponseConfig } from './token-response.ts';

/** The signed-in user, as a route sees it. */
export interface ServerSession {
  /** The id of the user at the provider: the `sub` of the id_token, or what `readUser` says. */
  subject: string;
  /** Claims about the user from the provider, at sign-in. Safe to show to the user. */
  claims: Record<string, unknown>;
  /**
   * Calls APIs on behalf of the user; never give it to a page. undefined if it has expired and the provider has given no
   * refresh token: the user is still signed in here.
   */
  accessToken: string | undefined;
  /** The granted scopes. */
  scopes: string[];
  /** When the user has to sign in again, in seconds since 1970. */
  endsAt: number;
}

/** A session in the form of its cookie. */
export interface StoredSession {
  subject: string;
  claims: Record<string, unknown>;
  tokens: TokenResponse;
  endsAt: number;
  /** Whether it must be encrypted again with the newest secret. */
  isOld: boolean;
}

/** Reads the session of a request. */
export async function readSession(
  request: Request,
  settings: Settings,
  options?: ReadOptions,
): Promise<StoredSession | undefined> {
  const opened = await readSessionCookie(request, settings, options);
  if (!opened) return undefined;
  const { endsAt, isOld } = opened;
  // Sealed, so we wrote it.
  const { tokens, ...content } = opened.content as Pick<StoredSession, 'subject' | 'claims'> & {
    tokens: TokenResponseConfig;
  };
  return { ...content, tokens: new TokenResponse(tokens), endsAt, isOld };
}

/** Creates the headers that store a session in the browser. */
export async function writtenSession(
  { subject, claims, tokens, endsAt }: Omit<StoredSession, 'isOld'>,
  request: Request,
  settings: Settings,
): Promise<string[]> {
  const { idToken, ...rest } = tokens.getRequestConfig();
  // About 1 KB, and no longer needed, unless the provider requires it again.
  const kept = settings.idTokenHint ? { ...rest, idToken } : rest;
  return sessionCookies({ subject, claims, tokens: kept }, endsAt, { request, settings });
}

/** The part of a session that routes see: nothing that can request new tokens. */
export function toServerSession({ subject, claims, tokens, endsAt }: StoredSession, settings: Settings): ServerSession {
  const isUsable = TokenResponse.isTokenFresh(tokens, 0);
  return {
    subject,
    claims,
    accessToken: isUsable ? tokens.accessToken : undefined,
    // Without OpenID Connect, some separate them otherwise: GitHub writes commas.
    scopes: tokens.scope?.split(settings.discovery ? /[ ,]+/ : ' ') ?? settings.scopes,
    endsAt,
  };
}
