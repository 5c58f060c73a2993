import assert from 'node:assert/strict';
import { assertSignedOut, refreshAtProvider, userInfoStatus } from './app.ts';
import type { SignInApp, SignInChecks } from './app.ts';
import { seal } from './session-cookie.ts';
import type { SealedSession } from './session-cookie.ts';
import { askProvider, button, openProvider, says, sessionCookie, sessionOf, signIn, signOut, visit } from './visit.ts';
import type { Visit } from './visit.ts';

/** What a user does on the page. */
export const pageChecks: SignInChecks = {
  'signs in with a link and shows the user': (app) =>
    visit(app, async (user) => {
      await signIn(user);
      const text = await user.page.locator('section').innerText();
      for (const part of ['ada@example.test', 'openid', 'offline_access', 'Signed in until'])
        assert.ok(text.includes(part), part);
      assert.equal(user.page.url(), `${app.origin}/`);
    }),

  'keeps the session in a cookie that no script can read': (app) =>
    visit(app, async (user) => {
      await signIn(user);
      const [cookie] = await user.context.cookies(app.origin);
      const { name, httpOnly, sameSite, path, domain, expires = 0 } = cookie ?? {};
      assert.deepEqual(
        { name, httpOnly, sameSite, path, domain },
        { name: 'auth-session', httpOnly: true, sameSite: 'Lax', path: '/', domain: 'localhost' },
      );
      assert.ok(Math.abs(expires - Date.now() / 1000 - 7 * 24 * 60 * 60) < 60, `It expires at ${expires}.`);
      const readable = 'JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])';
      assert.equal(await user.page.evaluate(readable), '["",{},{}]');
      assert.equal((await sessionOf(user, app)).content.subject, 'ada');
    }),

  'sends the browser neither tokens nor secrets': (app) =>
    visit(app, async (user) => {
      const seen = new Map<string, string>();
      const reading: Promise<void>[] = [];
      // Not requests that the browser abandons when it leaves a page: they have no end to wait for.
      user.context.on('requestfinished', (request) => {
        const { origin, pathname } = new URL(request.url());
        if (origin !== app.origin) return;
        const read = async (): Promise<void> => {
          const response = await request.response();
          const parts = [request.url(), JSON.stringify(await response?.headersArray())];
          // Chromium has no body for a redirect, nor for a page that was left.
          const isRedirect = (response?.status() ?? 0) >= 300;
          if (response && !isRedirect) parts.push(await response.text().catch(() => ''));
          seen.set(pathname, `${seen.get(pathname) ?? ''}${parts.join('\n')}`);
        };
        reading.push(read());
      });
      await user.page.reload();
      await signIn(user);
      const first = await letExpire(user, app);
      await askProvider(user.page);
      const second = await sessionOf(user, app);
      await signOut(user);
      await Promise.all(reading);
      for (const path of [
        '/',
        '/me',
        '/user-info',
        '/auth/sign-in',
        '/auth/callback',
        '/auth/sign-out',
        '/auth/signed-out',
      ])
        assert.ok((seen.get(path)?.length ?? 0) > 100, `Nothing of ${path} could be read.`);

      const all = [...seen.values()].join('\n');
      const secrets = [first, second].flatMap(({ content: { tokens } }) => [tokens.accessToken, tokens.refreshToken]);
      assert.equal(new Set(secrets).size, 4);
      for (const secret of [...secrets, app.clientSecret, app.sessionSecret])
        assert.ok(!all.includes(secret), 'A token or secret has reached the browser.');
      // An id_token: header and claims.
      assert.doesNotMatch(all, /eyJ[\w-]+\.eyJ/);
    }),

  'stays signed in after a reload, and in another tab': (app) =>
    visit(app, async (user) => {
      await signIn(user, 'Grace Hopper');
      await user.page.reload();
      await user.page.getByRole('heading', { name: 'Grace Hopper' }).waitFor();
      const tab = await user.context.newPage();
      await tab.goto(app.origin);
      await tab.getByRole('heading', { name: 'Grace Hopper' }).waitFor();
    }),

  'redirects a stranger from a guarded page to the sign-in, and back': (app) =>
    visit(app, async ({ page }) => {
      await page.goto(`${app.origin}/members?a=1`);
      await page.getByRole('button', { name: 'Ada Lovelace' }).click();
      await page.getByText('such as Ada Lovelace').waitFor();
      assert.equal(page.url(), `${app.origin}/members?a=1`);
    }),

  'refreshes by itself when the access token is about to expire, and the used refresh token is dead': (app) =>
    visit(app, async (user) => {
      await signIn(user);
      const before = await letExpire(user, app);
      await askProvider(user.page);
      const { content } = await sessionOf(user, app);
      assert.notEqual(content.tokens.accessToken, before.content.tokens.accessToken);
      assert.ok(
        content.tokens.issuedAt > before.content.tokens.issuedAt,
        'The cookie must have the time of the new token.',
      );
      assert.equal(await userInfoStatus(app, content.tokens.accessToken), 200);

      // The provider treats the second use as theft and ends all tokens. The user is informed, and signed out.
      assert.equal(await refreshAtProvider(app, before.content.tokens.refreshToken), 'invalid_grant');
      await letExpire(user, app);
      await button(user.page, 'Ask the provider').click();
      await says(user.page, 'alert', 'You are no longer signed in.');
      await user.page.reload();
      await user.page.getByRole('heading', { name: 'You are not signed in' }).waitFor();
    }),

  'refreshes once when three tabs find the access token about to expire': (app) =>
    visit(app, async (user) => {
      await signIn(user);
      const tabs = [user.page, await user.context.newPage(), await user.context.newPage()];
      await letExpire(user, app);
      await Promise.all(tabs.map((page) => page.goto(app.origin)));
      for (const page of tabs) await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
      // If the refresh token had been used twice, the provider would have ended the grant.
      const { content } = await sessionOf(user, app);
      assert.equal(await refreshAtProvider(app, content.tokens.refreshToken), 'accepted');
    }),

  'stays signed in when another website opens /me three times at once': (app) =>
    visit(app, async (user) => {
      await signIn(user);
      await letExpire(user, app);
      const website = await user.context.newPage();
      // The provider is at 127.0.0.1, so its pages belong to another site.
      await website.goto(`${app.issuer}/.well-known/openid-configuration`);
      const sites: Promise<string | null>[] = [];
      const allAnswered = user.context.waitForEvent('response', (response) => {
        if (response.url() === `${app.origin}/me`) sites.push(response.request().headerValue('sec-fetch-site'));
        return sites.length === 3;
      });
      await website.evaluate(`for (let i = 0; i < 3; i++) open('${app.origin}/me')`);
      await allAnswered;
      assert.deepEqual(await Promise.all(sites), Array(3).fill('cross-site'));
      await letExpire(user, app);
      await user.page.reload();
      await user.page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
    }),

  'says that the user has cancelled, and lets them try again': (app) =>
    visit(app, async (user) => {
      await openProvider(user);
      await button(user.page, 'Cancel').click();
      await says(user.page, 'alert', 'You have cancelled the sign-in.');
      assert.equal(user.page.url(), `${app.origin}/`);
      assert.equal(await sessionCookie(user, app), undefined);
      await signIn(user);
    }),

  'says in its own words why the provider refuses, and repeats nothing from it': (app) =>
    visit(app, async (user) => {
      const words = {
        temporarily_unavailable: 'The provider is busy. Try again later.',
        invalid_scope: 'The sign-in has failed (invalid_scope).',
        constructor: 'The sign-in has failed (constructor).',
        'Call 555-0100': 'The sign-in has failed (invalid_response).',
      };
      for (const [error, text] of Object.entries(words)) {
        // With the browser's cookies, in the way of the link.
        const begun = await user.context.request.get(`${app.origin}/auth/sign-in`, { maxRedirects: 0 });
        const state = new URL(begun.headers()['location'] ?? '').searchParams.get('state') ?? '';
        const error_description = 'Call 555-0100 and say your password.';
        const answer = new URLSearchParams({ error, error_description, state, iss: app.issuer });
        await user.page.goto(`${app.origin}/auth/callback?${answer}`);
        await says(user.page, 'alert', text);
        assert.equal(await user.page.getByRole('alert').textContent(), text);
      }
      await signIn(user);
    }),

  'reports that the server does not answer': (app) =>
    visit(app, async (user) => {
      await signIn(user);
      await user.context.setOffline(true);
      await button(user.page, 'Ask the provider').click();
      await says(user.page, 'alert', 'No answer. Are you offline, or is the server?');
      await user.context.setOffline(false);
      await askProvider(user.page);
    }),

  'signs out: the cookie, the tokens and the session of the provider are gone': (app) =>
    visit(app, async (user) => {
      await signIn(user);
      const { content, ...session } = await sessionOf(user, app);
      const { tokens } = content;
      assert.equal(await userInfoStatus(app, tokens.accessToken), 200);
      await signOut(user);
      assert.equal(await sessionCookie(user, app), undefined);
      assert.equal(await userInfoStatus(app, tokens.accessToken), 401);
      assert.equal(await refreshAtProvider(app, tokens.refreshToken), 'invalid_grant');

      // For anyone who has kept a copy of the cookie, as soon as the access token has to be refreshed.
      const expired = { ...tokens, issuedAt: tokens.issuedAt - tokens.expiresIn };
      const copy = seal(app, { ...session, content: { ...content, tokens: expired } });
      await assertSignedOut(app, copy, 'of a user who has signed out');
      await user.page.reload();
      await signIn(user, 'Grace Hopper');
    }),

  'signs out here when the user stays signed in at the provider': (app) =>
    visit(app, async (user) => {
      await signIn(user);
      await signOut(user, 'Stay signed in');
      assert.equal(await sessionCookie(user, app), undefined);
    }),
};

/** Puts a session into the browser with an access token that expires in 30 seconds. */
async function letExpire(user: Visit, app: SignInApp): Promise<SealedSession> {
  const { cookie: _, ...session } = await sessionOf(user, app);
  const { content } = session;
  const now = Math.floor(Date.now() / 1000);
  const tokens = { ...content.tokens, issuedAt: now - content.tokens.expiresIn + 30 };
  const older = { ...session, content: { ...content, tokens } };
  await user.context.addCookies([{ name: 'auth-session', value: seal(app, older), url: app.origin }]);
  return older;
}
