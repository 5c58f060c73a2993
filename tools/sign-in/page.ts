import assert from 'node:assert/strict';
import { refreshAtProvider, type SignInApp, type SignInChecks, userInfoStatus } from './app.ts';
import { seal } from './session-cookie.ts';
import {
  button,
  clickForPopup,
  refresh,
  says,
  sessionCookie,
  sessionOf,
  signIn,
  signOut,
  visit,
  type Visit,
} from './visit.ts';

/** What a user does on the page. */
export const pageChecks: SignInChecks = {
  'signs in by a popup and shows who it is': (app) =>
    visit(app, async (user) => {
      await signIn(user);
      const text = await user.page.locator('section').innerText();
      for (const part of ['ada@example.test', 'openid', 'offline_access', 'expires in'])
        assert.ok(text.includes(part), part);
      assert.equal(user.context.pages().length, 1, 'The popup must be closed.');
    }),

  'keeps the session in a cookie that no script can read': (app) =>
    visit(app, async (user) => {
      await signIn(user);
      const [cookie] = await user.context.cookies(app.origin);
      const { name, httpOnly, sameSite, path, domain, expires = 0 } = cookie ?? {};
      assert.deepEqual(
        { name, httpOnly, sameSite, path, domain },
        { name: 'session', httpOnly: true, sameSite: 'Lax', path: '/', domain: 'localhost' },
      );
      assert.ok(Math.abs(expires - Date.now() / 1000 - 7 * 24 * 60 * 60) < 60, `It expires at ${expires}.`);
      const readable = 'JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])';
      assert.equal(await user.page.evaluate(readable), '["",{},{}]');
      assert.equal((await sessionOf(user, app)).subject, 'ada');
    }),

  'sends the page neither token nor secret': (app) =>
    visit(app, async (user) => {
      const seen = new Map<string, string>();
      const reading: Promise<void>[] = [];
      user.context.on('response', (response) => {
        const { origin, pathname } = new URL(response.url());
        if (origin !== app.origin) return;
        const read = async (): Promise<void> => {
          // The headers as a script may read them: without cookies.
          const { 'set-cookie': _, ...headers } = response.headers();
          const parts = [response.url(), response.request().postData(), JSON.stringify(headers), await response.text()];
          seen.set(pathname, `${seen.get(pathname) ?? ''}${parts.join('\n')}`);
        };
        // Chromium has no body of an answer without one, nor of a page that has closed.
        reading.push(read().catch(() => void seen.set(pathname, seen.get(pathname) ?? '')));
      });
      await user.page.reload();
      await signIn(user);
      const first = await sessionOf(user, app);
      await refresh(user.page);
      const second = await sessionOf(user, app);
      await user.page.reload();
      await button(user.page, 'Refresh').waitFor();
      await signOut(user);
      await Promise.all(reading);
      for (const path of ['/', '/config', '/me', '/token', '/refresh', '/sign-out', '/callback'])
        assert.ok(seen.has(path), `${path} was not asked for.`);
      for (const path of ['/', '/config', '/me', '/token', '/refresh'])
        assert.ok((seen.get(path)?.length ?? 0) > 100, `Nothing of ${path} could be read.`);

      const all = [...seen.values()].join('\n');
      const secrets = [first, second].flatMap(({ tokens }) => [tokens.accessToken, tokens.refreshToken]);
      for (const secret of [...secrets, app.clientSecret, app.sessionSecret])
        assert.ok(!all.includes(secret), 'A token or secret has reached the page.');
      // How every id_token begins.
      assert.ok(!all.includes('eyJ'), 'An id_token has reached the page.');
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

  'refreshes: the next refresh token is in the cookie, and the used one is dead': (app) =>
    visit(app, async (user) => {
      await signIn(user);
      const { tokens: before } = await sessionOf(user, app);
      await refresh(user.page);
      const { tokens: after } = await sessionOf(user, app);
      assert.notEqual(after.accessToken, before.accessToken);
      assert.notEqual(after.refreshToken, before.refreshToken);
      assert.equal(await userInfoStatus(app, after.accessToken), 200);
      assert.equal(await refreshAtProvider(app, before.refreshToken), 'invalid_grant');

      // The provider takes the second use for theft and ends them all. The user is told, and signed out.
      await button(user.page, 'Refresh').click();
      await says(user.page, 'alert', 'You are not signed in.');
      await button(user.page, 'Sign in').waitFor();
      assert.equal(await sessionCookie(user, app), undefined);
    }),

  'refreshes by itself when the access token is about to expire': (app) =>
    visit(app, async (user) => {
      await signIn(user);
      const { cookie: _, ...session } = await sessionOf(user, app);
      const { tokens } = session;
      const older = { ...session, tokens: { ...tokens, issuedAt: tokens.issuedAt - tokens.expiresIn + 30 } };
      await user.context.addCookies([{ name: 'session', value: seal(app.sessionSecret, older), url: app.origin }]);
      await user.page.reload();
      await user.page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
      const { tokens: next } = await sessionOf(user, app);
      assert.notEqual(next.accessToken, tokens.accessToken);
      assert.ok(next.issuedAt >= tokens.issuedAt, 'The cookie must have the time of the new token.');
    }),

  'two tabs that refresh at the same time stay signed in': (app) =>
    visit(app, async (user) => {
      await signIn(user);
      const tab = await user.context.newPage();
      await tab.goto(app.origin);
      await button(tab, 'Refresh').waitFor();
      // Clicked by script, as the one that is in front would be clicked first.
      const click = `[...document.querySelectorAll('button')].find((button) => button.textContent === 'Refresh').click()`;
      await Promise.all([user.page, tab].map((page) => page.evaluate(click)));
      for (const page of [user.page, tab]) await says(page, 'status', 'The server has a new access token.');
      await refresh(user.page);
    }),

  'says that the user has cancelled, and lets them try again': (app) =>
    visit(app, async (user) => {
      const popup = await clickForPopup(user, 'Sign in');
      await button(popup, 'Cancel').click({ noWaitAfter: true });
      await says(user.page, 'alert', 'You have cancelled the sign-in.');
      assert.equal(await sessionCookie(user, app), undefined);
      await signIn(user);
    }),

  'opens the popup in the click itself, the second time too': (app) =>
    visit(app, async (user) => {
      const popup = await clickForPopup(user, 'Sign in');
      await button(popup, 'Cancel').click({ noWaitAfter: true });
      await button(user.page, 'Sign in').and(user.page.locator(':enabled')).waitFor();
      // A browser that is strict blocks a popup that opens after the handler of the click has returned.
      const hasOpened = `(() => {
        let hasOpened = false;
        window.open = () => ((hasOpened = true), null);
        document.querySelector('button').click();
        return hasOpened;
      })()`;
      assert.equal(await user.page.evaluate(hasOpened), true);
    }),

  'says that the window was closed': (app) =>
    visit(app, async (user) => {
      const popup = await clickForPopup(user, 'Sign in');
      await popup.close();
      await user.page.bringToFront();
      await says(user.page, 'alert', 'The sign-in window was closed before you were signed in.');
    }),

  'says that the browser has blocked the popup': (app) =>
    visit(app, async ({ page }) => {
      await button(page, 'Sign in').and(page.locator(':enabled')).waitFor();
      // What a browser does that blocks it.
      await page.evaluate('window.open = () => null; 0');
      await button(page, 'Sign in').click();
      await says(page, 'alert', 'Allow pop-ups for this page and try again.');
    }),

  'says that the server does not answer': (app) =>
    visit(app, async (user) => {
      await signIn(user);
      await user.context.setOffline(true);
      await button(user.page, 'Refresh').click();
      await says(user.page, 'alert', 'No answer. Are you offline, or is the server?');
      await user.context.setOffline(false);
      await refresh(user.page);
    }),

  'signs out: the cookie, the tokens and the session of the provider are gone': (app) =>
    visit(app, async (user) => {
      await signIn(user);
      // A native client of the local provider is asked each time. Whoever is not signed in has to do that first.
      assert.equal(await errorWithoutPrompt(user, app), 'interaction_required');
      const { cookie, tokens } = await sessionOf(user, app);
      assert.equal(await userInfoStatus(app, tokens.accessToken), 200);
      await signOut(user);
      assert.equal(await sessionCookie(user, app), undefined);
      assert.equal(await errorWithoutPrompt(user, app), 'login_required');
      assert.equal(await userInfoStatus(app, tokens.accessToken), 401);
      assert.equal(await refreshAtProvider(app, tokens.refreshToken), 'invalid_grant');

      // Whoever has kept a copy of the cookie.
      const response = await fetch(`${app.origin}/me`, { headers: { cookie: `session=${cookie}` } });
      assert.deepEqual([response.status, await response.json()], [401, { error: 'You are not signed in.' }]);
      await user.page.reload();
      await signIn(user, 'Grace Hopper');
    }),

  'signs out here when the page of the provider is closed, and says so': (app) =>
    visit(app, async (user) => {
      await signIn(user);
      const popup = await clickForPopup(user, 'Sign out');
      await popup.close();
      await user.page.bringToFront();
      await says(user.page, 'status', 'You are signed out here, but not at the provider.');
      assert.equal(await sessionCookie(user, app), undefined);
    }),
};

/** What the provider answers in this browser when it may not ask the user anything. */
async function errorWithoutPrompt({ context }: Visit, { origin, issuer, clientId }: SignInApp): Promise<string | null> {
  const parameters = new URLSearchParams({
    client_id: clientId,
    redirect_uri: `${origin}/callback`,
    response_type: 'code',
    scope: 'openid',
    prompt: 'none',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
  });
  const tab = await context.newPage();
  await tab.goto(`${issuer}/auth?${parameters}`);
  const { searchParams } = new URL(tab.url());
  await tab.close();
  return searchParams.get('error');
}
