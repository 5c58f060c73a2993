import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';

/** The example as hosted on one host, with the local provider next to it. */
export interface SignInApp {
  origin: string;
  /** Where the provider is. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Its `SESSION_SECRET`. */
  sessionSecret: string;
  browser: Browser;
}

/** Named checks of the hosted example. A check fails by throwing. */
export type SignInChecks = Record<string, (app: SignInApp) => Promise<void>>;

/** What the routes answer with 401. */
export const NOT_SIGNED_IN = { error: 'You are not signed in. Open /auth/sign-in.' };

const GONE = ['auth-session=', 'HttpOnly', 'Max-Age=0', 'Path=/', 'SameSite=Lax'];

/** Posts to a route, by default as a page of the app does. */
export function post(
  { origin }: Pick<SignInApp, 'origin'>,
  path: string,
  headers: Record<string, string> = { origin },
): Promise<Response> {
  return fetch(origin + path, { method: 'POST', headers, redirect: 'manual' });
}

/** The provider's answer to a refresh token: the error, or that it was accepted. */
export async function refreshAtProvider(app: SignInApp, refreshToken: string): Promise<string> {
  const response = await fetch(`${app.issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${app.clientId}:${app.clientSecret}`)}` },
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  });
  const { error = 'accepted' } = (await response.json()) as { error?: string }; // RFC 6749 section 5.2
  return error;
}

/** The status of the provider's answer about the user. */
export async function userInfoStatus({ issuer }: SignInApp, accessToken: string): Promise<number> {
  const response = await fetch(`${issuer}/me`, { headers: { authorization: `Bearer ${accessToken}` } });
  await response.arrayBuffer();
  return response.status;
}

/** Asserts that a session cookie is invalid, and is removed. */
export async function assertSignedOut({ origin }: SignInApp, cookie: string, what: string): Promise<void> {
  const response = await fetch(`${origin}/me`, { headers: { cookie: `auth-session=${cookie}` } });
  assert.deepEqual([response.status, await response.json()], [401, NOT_SIGNED_IN], what);
  assert.deepEqual(response.headers.getSetCookie()[0]?.split('; ').toSorted(), GONE.toSorted(), what);
}

/** Asserts that a session cookie, which the provider refuses to refresh, is invalid, and that the answer says so to all instances. */
export async function assertRefused({ origin }: SignInApp, cookie: string): Promise<void> {
  const response = await fetch(`${origin}/me`, { headers: { cookie: `auth-session=${cookie}` } });
  assert.deepEqual([response.status, await response.json()], [401, NOT_SIGNED_IN]);
  const cookies = response.headers.getSetCookie().map((header) => header.split(';')[0]);
  assert.deepEqual(cookies, [`auth-session.refused=${cookie.slice(-22)}`]);
}
