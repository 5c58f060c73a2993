import { answerPosted } from './posted-answer.ts';
import { readSession, toServerSession } from './server-session.ts';
import type { ServerSession } from './server-session.ts';
import { answerJson } from './session-answers.ts';
import { toSettings } from './session-server-options.ts';
import type { OAuthSessionServerOptions, SessionServerOptions, Settings } from './session-server-options.ts';
import { beginSignIn, endSignIn } from './session-sign-in.ts';
import { endSignOut, signOut } from './session-sign-out.ts';
import { answerWithSession, refuseOtherSites, refuseVisitors } from './with-session.ts';
import type { SessionHandler } from './with-session.ts';

/** Signs users in and out, and identifies them. Its functions need no `this`. */
export interface SessionServer {
  /**
   * Answers `<basePath>/sign-in` with a redirect to the provider, `/callback` with a session, and `/signed-out` with a
   * redirect back into the app. `/sign-in?returnTo=/account` leads to that path afterwards; a query of more than about
   * 2000 characters is dropped; while other tabs sign in, one of more than a few hundred.
   */
  GET: (request: Request) => Promise<Response>;
  /**
   * Answers `<basePath>/sign-out`, which a form of the app posts, and `/callback`, if the provider posts its answer
   * (`response_mode=form_post`).
   */
  POST: (request: Request) => Promise<Response>;
  /**
   * For a middleware: returns undefined if the request has a session. Otherwise returns the answer: a redirect to sign
   * in for a page, 401 for any other request, and 403 if another site makes the browser change something. The paths
   * that GET and POST answer are open to everyone. It does not refresh tokens.
   */
  guard: (request: Request) => Promise<Response | undefined>;
  /**
   * Returns the session of a request, or null. It does not refresh tokens: `accessToken` is undefined when it has
   * expired.
   */
  read: (request: Request) => Promise<ServerSession | null>;
  /**
   * Creates a route for signed-in users only. Others are answered as by `guard`. The access token is refreshed
   * before it expires, once for all requests that come at the same time, and the session is kept in the browser.
   */
  withSession: <Params = unknown>(
    handler: SessionHandler<Params>,
  ) => (request: Request, params: Params) => Promise<Response>;
}

const PATHS = ['/sign-in', '/callback', '/signed-out', '/sign-out'];

/**
 * Creates a session server, which keeps the tokens of users on the server. A page gets a cookie that it cannot read,
 * and no token, as OAuth 2.0 for Browser-Based Applications recommends (section 6.1).
 *
 * @param options – a function is called for each request, for settings that exist only then, such as `process.env` on
 *   some hosts.
 * @returns functions that throw TypeError with code `ERR_AUTH_ARGUMENT` when an option is missing or invalid.
 */
export function createSessionServer(
  options: SessionServerOptions | OAuthSessionServerOptions | (() => SessionServerOptions | OAuthSessionServerOptions),
): SessionServer {
  const settingsFor = (request: Request): Settings =>
    toSettings(typeof options === 'function' ? options() : options, request);
  return {
    async GET(request) {
      const settings = settingsFor(request);
      const path = pathOf(request, settings);
      if (path === '/sign-in') return beginSignIn(request, settings);
      if (path === '/callback') return endSignIn(request, settings);
      if (path === '/signed-out') return endSignOut(settings);
      return path === '/sign-out' ? notAllowed('POST') : notFound();
    },
    async POST(request) {
      const settings = settingsFor(request);
      const path = pathOf(request, settings);
      if (path === '/sign-out') return signOut(request, settings);
      if (path === '/callback') return answerPosted(request, settings);
      return ['/sign-in', '/signed-out'].includes(path) ? notAllowed('GET') : notFound();
    },
    async guard(request) {
      const settings = settingsFor(request);
      // Where everything is guarded, a redirect to the sign-in would otherwise lead to itself.
      if (PATHS.includes(pathOf(request, settings))) return undefined;
      const session = await readSession(request, settings);
      return session ? refuseOtherSites(request, settings) : refuseVisitors(request, settings);
    },
    async read(request) {
      const settings = settingsFor(request);
      const session = await readSession(request, settings);
      return session ? toServerSession(session, settings) : null;
    },
    withSession(handler) {
      return async (request, params) => answerWithSession(handler, { params, request, settings: settingsFor(request) });
    },
  };
}

function pathOf(request: Request, { basePath }: Settings): string {
  const { pathname } = new URL(request.url);
  return pathname.startsWith(`${basePath}/`) ? pathname.slice(basePath.length).replace(/\/$/, '') : '';
}

function notFound(): Response {
  return answerJson(404, { error: 'The paths here are sign-in, callback, sign-out and signed-out.' });
}

// With sign-out by GET, an image of another site could sign the user out.
function notAllowed(method: string): Response {
  const response = answerJson(405, { error: `Use ${method} here.` });
  response.headers.set('allow', method);
  return response;
}
