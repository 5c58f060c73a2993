import assert from 'node:assert/strict';
import {
  assertSignedOut,
  EXPIRED,
  NOT_SIGNED_IN,
  post,
  refreshAtProvider,
  type SignInApp,
  type SignInChecks,
} from './app.ts';
import { seal } from './session-cookie.ts';
import { sessionOf, signIn, visit } from './visit.ts';

const GRANT = { code: 'guessed', codeVerifier: 'v'.repeat(43), nonce: 'n'.repeat(43) };

/** What the routes refuse, whoever asks. */
export const routeChecks: SignInChecks = {
  async 'answers 400 without a cookie to a code that the provider does not know'(app) {
    const response = await post(app, '/token', { body: GRANT });
    const error = 'The provider does not know this sign-in. Sign in again.';
    assert.deepEqual([response.status, await response.json()], [400, { error }]);
    assert.deepEqual(response.headers.getSetCookie(), []);
  },

  async 'answers 400 to a sign-in that is not whole'(app) {
    for (const name of Object.keys(GRANT)) {
      const response = await post(app, '/token', { body: { ...GRANT, [name]: undefined } });
      const error = 'Send JSON with code, codeVerifier and nonce.';
      assert.deepEqual([response.status, await response.json()], [400, { error }], name);
    }
  },

  'answers 403 to every POST of another origin, or of none, and does nothing': (app) =>
    visit(app, async (user) => {
      await signIn(user);
      const { cookie, tokens } = await sessionOf(user, app);
      const elsewhere = [{ origin: 'https://evil.example' }, { origin: app.issuer }, { origin: 'null' }, {}];
      for (const path of ['/token', '/refresh', '/sign-out']) {
        for (const headers of elsewhere) {
          const response = await post(app, path, { body: GRANT, headers: { ...headers, cookie: `session=${cookie}` } });
          const error = `Only pages of ${app.origin} may do this.`;
          const what = `${path} from ${JSON.stringify(headers)}`;
          assert.deepEqual([response.status, await response.json()], [403, { error }], what);
          assert.deepEqual(response.headers.getSetCookie(), [], what);
        }
      }
      assert.equal(await refreshAtProvider(app, tokens.refreshToken), 'accepted');
    }),

  async 'answers 401 without a session, and takes a cookie away that is none'(app) {
    const inAnHour = Math.floor(Date.now() / 1000) + 3600;
    const tokens = { accessToken: 'a'.repeat(43), refreshToken: 'r'.repeat(43), issuedAt: inAnHour, expiresIn: 3600 };
    const session = { subject: 'mallory', endsAt: inAnHour, tokens };
    const cookies = {
      none: '',
      text: 'hello',
      'of another secret': seal('another secret, as long as it must be', session),
      'of tokens that the provider does not know': seal(app.sessionSecret, session),
    };
    for (const [what, cookie] of Object.entries(cookies)) await assertSignedOut(app, cookie, what);
  },

  'answers 401 to a session that has ended, or was changed': (app) =>
    visit(app, async (user) => {
      await signIn(user);
      const { cookie, ...session } = await sessionOf(user, app);
      const now = Math.floor(Date.now() / 1000);
      await assertSignedOut(app, seal(app.sessionSecret, { ...session, endsAt: now - 1 }), 'that has ended');
      const changed = Buffer.from(cookie, 'base64url');
      changed[40] = (changed[40] ?? 0) ^ 1;
      await assertSignedOut(app, changed.toString('base64url'), 'with one bit changed');
      // So nothing else is wrong with them.
      const response = await askMe(app, seal(app.sessionSecret, { ...session, endsAt: now + 60 }));
      assert.equal(response.status, 200);
    }),

  'changes nothing for GET /me, and says whether POST /refresh can help': (app) =>
    visit(app, async (user) => {
      await signIn(user);
      const { cookie, ...session } = await sessionOf(user, app);
      const { tokens } = session;
      const expired = { ...tokens, issuedAt: tokens.issuedAt - tokens.expiresIn - 1 };
      const unknown = { ...tokens, accessToken: 'a'.repeat(43) };
      const cookies: [what: string, cookie: string, answer: unknown][] = [
        ['none', '', NOT_SIGNED_IN],
        ['unreadable', 'hello', NOT_SIGNED_IN],
        ['expired', seal(app.sessionSecret, { ...session, tokens: expired }), EXPIRED],
        ['unknown to the provider', seal(app.sessionSecret, { ...session, tokens: unknown }), EXPIRED],
        [
          'that too, for good',
          seal(app.sessionSecret, { ...session, tokens: { ...unknown, refreshToken: undefined } }),
          NOT_SIGNED_IN,
        ],
      ];
      for (const [what, value, answer] of cookies) {
        const response = await askMe(app, value);
        assert.deepEqual([response.status, await response.json()], [401, answer], what);
        assert.deepEqual(response.headers.getSetCookie(), [], what);
      }
      const response = await askMe(app, cookie);
      assert.deepEqual([response.status, response.headers.getSetCookie()], [200, []]);
      assert.equal(await refreshAtProvider(app, tokens.refreshToken), 'accepted');
    }),

  async 'signs out whoever is not signed in'(app) {
    const response = await post(app, '/sign-out');
    assert.deepEqual([response.status, await response.text()], [204, '']);
  },

  async 'says in no answer that it may be cached'(app) {
    for (const path of ['/config', '/me']) {
      const response = await fetch(app.origin + path);
      await response.arrayBuffer();
      assert.equal(response.headers.get('cache-control'), 'no-store', path);
    }
  },
};

function askMe({ origin }: SignInApp, cookie: string): Promise<Response> {
  return fetch(`${origin}/me`, { headers: { cookie: `session=${cookie}` } });
}
