import assert from 'node:assert/strict';
import { assertRefused, assertSignedOut, NOT_SIGNED_IN, post, refreshAtProvider, userInfoStatus } from './app.ts';
import type { SignInApp, SignInChecks } from './app.ts';
import { seal, unseal } from './session-cookie.ts';
import { sessionOf, signIn, visit } from './visit.ts';

/** What the routes refuse to every caller. */
export const routeChecks: SignInChecks = {
  async 'creates no session from an answer that this browser did not request'(app) {
    const response = await fetch(`${app.origin}/auth/callback?code=guessed&state=guessed`, { redirect: 'manual' });
    assert.deepEqual(
      [response.status, response.headers.get('location'), response.headers.getSetCookie()],
      [303, `${app.origin}/?error=state_mismatch`, []],
    );
  },

  async 'redirects only into the app'(app) {
    for (const path of ['https://evil.example', '//evil.example', String.raw`/\evil.example`, '/\t/evil.example']) {
      const query = new URLSearchParams({ returnTo: path });
      const response = await fetch(`${app.origin}/auth/sign-in?${query}`, { redirect: 'manual' });
      const error = 'returnTo is not a path of this app, such as /account.';
      assert.deepEqual([response.status, await response.json()], [400, { error }], path);
    }
  },

  'answers 403 to every POST from another origin or without one, and does nothing': (app) =>
    visit(app, async (user) => {
      await signIn(user);
      const { cookie, content } = await sessionOf(user, app);
      const elsewhere = [{ origin: 'https://evil.example' }, { origin: app.issuer }, { origin: 'null' }, {}];
      for (const path of ['/user-info', '/auth/sign-out']) {
        for (const headers of elsewhere) {
          const response = await post(app, path, { ...headers, cookie: `auth-session=${cookie}` });
          const what = `${path} from ${JSON.stringify(headers)}`;
          assert.equal(response.status, 403, what);
          assert.deepEqual(response.headers.getSetCookie(), [], what);
        }
      }
      assert.equal(await userInfoStatus(app, content.tokens.accessToken), 200);
      assert.equal(await refreshAtProvider(app, content.tokens.refreshToken), 'accepted');
    }),

  async 'answers 401 without a session, and removes an invalid cookie'(app) {
    assert.deepEqual(await answerTo(app, ''), [401, NOT_SIGNED_IN]);
    const issuedAt = Math.floor(Date.now() / 1000) - 3600;
    const tokens = { accessToken: 'a'.repeat(43), refreshToken: 'r'.repeat(43), issuedAt, expiresIn: 3600 };
    const session = { content: { subject: 'mallory', claims: {}, tokens }, exp: issuedAt + 7200 };
    const cookies = {
      text: 'hello',
      'of another secret': seal({ ...app, sessionSecret: 'another secret, as long as it must be' }, session),
      'of another client': seal({ ...app, clientId: 'another' }, session),
    };
    for (const [what, cookie] of Object.entries(cookies)) await assertSignedOut(app, cookie, what);
    // The provider does not know its tokens.
    await assertRefused(app, seal(app, session));
  },

  'answers 401 to a session that has ended or was changed': (app) =>
    visit(app, async (user) => {
      await signIn(user);
      const { cookie, ...session } = await sessionOf(user, app);
      const now = Math.floor(Date.now() / 1000);
      await assertSignedOut(app, seal(app, { ...session, exp: now - 1 }), 'that has ended');
      const middle = cookie.length >> 1;
      const other = cookie[middle] === 'A' ? 'B' : 'A';
      await assertSignedOut(app, cookie.slice(0, middle) + other + cookie.slice(middle + 1), 'that was changed');
      // So nothing else is wrong with these cookies.
      const [status] = await answerTo(app, seal(app, { ...session, exp: now + 3600 }));
      assert.equal(status, 200);
    }),

  'refreshes once for ten requests at a time, though the first of them leaves': (app) =>
    visit(app, async (user) => {
      await signIn(user);
      const { cookie: _, ...session } = await sessionOf(user, app);
      const { tokens } = session.content;
      const expired = { ...tokens, issuedAt: tokens.issuedAt - tokens.expiresIn };
      const cookie = `auth-session=${seal(app, { ...session, content: { ...session.content, tokens: expired } })}`;
      const leaving = new AbortController();
      const ask = (signal?: AbortSignal): Promise<Response> =>
        fetch(`${app.origin}/me`, { headers: { cookie }, signal: signal ?? AbortSignal.timeout(60_000) });
      const first = ask(leaving.signal).catch(() => undefined);
      const others = Array.from({ length: 9 }, () => ask());
      const [answered] = await Promise.all(others.slice(0, 1));
      leaving.abort();
      const answers = [answered, ...(await Promise.all(others.slice(1)))];
      assert.deepEqual(
        answers.map((answer) => answer?.status),
        Array(9).fill(200),
      );
      await first;
      // If the refresh token had been used twice, the provider would have ended the grant.
      const kept = answers.flatMap((answer) => answer?.headers.getSetCookie() ?? []);
      const next = unseal(app, kept[0]?.replace(/^auth-session=|;.*/g, '') ?? '');
      assert.equal(await refreshAtProvider(app, next.content.tokens.refreshToken), 'accepted');
    }),

  async 'accepts a sign-out from users who are not signed in, and signs nobody out by GET'(app) {
    const response = await post(app, '/auth/sign-out');
    assert.deepEqual([response.status, response.headers.get('location')], [303, `${app.origin}/`]);
    assert.equal((await fetch(`${app.origin}/auth/sign-out`)).status, 405);
  },

  async 'never allows an answer to be cached'(app) {
    for (const path of ['/me', '/auth/sign-in', '/auth/callback', '/members']) {
      const response = await fetch(app.origin + path, { redirect: 'manual' });
      await response.arrayBuffer();
      assert.equal(response.headers.get('cache-control'), 'no-store', path);
    }
  },
};

async function answerTo({ origin }: SignInApp, cookie: string): Promise<[status: number, body: unknown]> {
  const response = await fetch(`${origin}/me`, { headers: { cookie: `auth-session=${cookie}` } });
  return [response.status, await response.json()];
}
