import { codedTypeError } from './coded-error.ts';
import { ResponseError } from './errors.ts';
import { mustRefresh, refreshedTokens } from './refresh-session.ts';
import { isForPage, isFromOwnPage, isUnsafe } from './same-origin.ts';
import { readSession, toServerSession, writtenSession } from './server-session.ts';
import type { ServerSession, StoredSession } from './server-session.ts';
import { answerJson, sendTo, withCookies } from './session-answers.ts';
import { endedSessionCookies, isSessionRefused, refusedSessionCookies } from './session-cookie.ts';
import { isSessionOver } from './session-over.ts';
import type { Settings } from './session-server-options.ts';
import { endOf, holdSession, newestTokens } from './shared-refreshes.ts';

/** A route for signed-in users only. */
export type SessionHandler<Params> = (
  request: Request,
  session: ServerSession,
  params: Params,
) => Response | Promise<Response>;

/**
 * Refuses requests that another site makes the browser send (OAuth 2.0 for Browser-Based Applications section
 * 6.1.3.3).
 */
export function refuseOtherSites(request: Request, { origin }: Settings): Response | undefined {
  if (!isUnsafe(request) || isFromOwnPage(request, origin)) return undefined;
  return answerJson(403, { error: `Only pages of ${origin} may do this.` });
}

/** Answers a visitor who is not signed in: for a page, with a redirect to sign in. */
export function refuseStrangers(
  request: Request,
  settings: Settings,
  // By now, the browser may have the cookie of the instance that has refreshed a refused session.
  cookies: string[] = isSessionRefused(request, settings) ? [] : endedSessionCookies(request, settings),
): Response {
  if (isForPage(request)) return sendTo(signInUrl(request, settings), cookies);
  return answerJson(401, { error: `You are not signed in. Open ${settings.basePath}/sign-in.` }, cookies);
}

/**
 * The same for a page of appkit-router, which requests its data as JSON, and goes to the URL in this header. The answers
 * of routes do not have it: a loader may pass them on.
 */
export function refuseVisitors(request: Request, settings: Settings): Response {
  const refusal = refuseStrangers(request, settings);
  const isForRouter = request.headers.get('accept') === 'application/json';
  if (isForRouter) refusal.headers.set('appkit-redirect', signInUrl(request, settings));
  return refusal;
}

function signInUrl(request: Request, { basePath, origin }: Settings): string {
  const { pathname, search } = new URL(request.url);
  return `${origin}${basePath}/sign-in?${new URLSearchParams({ returnTo: pathname + search })}`;
}

/** Answers with a route for a signed-in user, with fresh tokens. */
export async function answerWithSession<Params>(
  handler: SessionHandler<Params>,
  { params, request, settings }: { params: Params; request: Request; settings: Settings },
): Promise<Response> {
  const refused = refuseOtherSites(request, settings);
  if (refused) return refused;
  const stored = await readSession(request, settings);
  const current = stored && (await freshSession(stored, request, settings));
  if (!current) return refuseStrangers(request, settings, stored && cookiesAtEnd(stored, request, settings));
  const { before, cookies, session } = current;
  const { setResponseHeaders } = settings;
  const letGo = cookies.length > 0 ? holdSession(before, settings) : undefined;
  // Other requests may have refreshed the session meanwhile, or the user has signed out, or in again: then it must not be
  // stored again.
  const lastCookies = async (): Promise<string[]> => {
    if (!letGo || endOf(before, settings)) return [];
    const tokens = newestTokens(session, settings);
    return tokens === session.tokens ? cookies : writtenSession({ ...session, tokens }, request, settings);
  };
  try {
    const response = await handler(request, toServerSession(session, settings), params);
    assertResponse(response, request);
    return withCookies(response, setResponseHeaders ? [] : await lastCookies());
  } finally {
    try {
      // Even if the route fails, the next tokens must not be lost.
      const last = setResponseHeaders ? await lastCookies() : [];
      if (last.length > 0) setResponseHeaders?.({ 'set-cookie': last, 'cache-control': 'no-store' });
    } finally {
      letGo?.();
    }
  }
}

// In JavaScript, a route may forget to return one. It may be of another realm, so its class says nothing.
function assertResponse(value: unknown, { method, url }: Request): void {
  if (typeof (value as Response | null | undefined)?.headers?.has === 'function') return;
  const what = value === undefined || value === null ? String(value) : `a value of type ${typeof value}`;
  throw codedTypeError(
    'ERR_AUTH_ARGUMENT',
    `The route of withSession returned ${what} instead of a Response, at ${method} ${new URL(url).pathname}. ` +
      'Return new Response(…) or Response.json(…).',
  );
}

/** The headers for the browser when its session has ended. */
function cookiesAtEnd(session: StoredSession, request: Request, settings: Settings): string[] {
  const end = endOf(session, settings);
  // By now, the browser may have the cookie of another sign-in.
  if (end === 'replaced') return [];
  if (end === 'signed out') return endedSessionCookies(request, settings);
  return refusedSessionCookies(request, session.endsAt, settings);
}

interface FreshSession {
  /** The session as it came. */
  before: StoredSession;
  /** The headers that store it in the browser, if it has changed. */
  cookies: string[];
  session: StoredSession;
}

async function freshSession(
  session: StoredSession,
  request: Request,
  settings: Settings,
): Promise<FreshSession | undefined> {
  const next = await nextSession(session, request, settings);
  if (!next) return undefined;
  const isChanged = next !== session || session.isOld;
  return { before: session, session: next, cookies: isChanged ? await writtenSession(next, request, settings) : [] };
}

async function nextSession(
  session: StoredSession,
  request: Request,
  settings: Settings,
): Promise<StoredSession | undefined> {
  if (!mustRefresh(session.tokens)) return session;
  try {
    const next = await refreshedTokens(session, settings);
    return next && { ...session, tokens: next };
  } catch (error) {
    if (isSessionOver(error)) {
      // Unlike a refusal, this is a fault of the provider.
      if (error instanceof ResponseError && error.code === 'invalid_id_token') settings.onError(error, request);
      return undefined;
    }
    // The provider may recover before the token expires; after that, the route decides what it needs the token for.
    settings.onError(error, request);
    return session;
  }
}
