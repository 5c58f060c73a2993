import assert from 'node:assert/strict';
import {
  assertSignedOut,
  EXPIRED,
  refreshAtProvider,
  type SignInApp,
  type SignInChecks,
  userInfoStatus,
} from './app.ts';
import { type SealedSession, seal } from './session-cookie.ts';
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
      const { tokens } = await letExpire(user, app);
      await user.page.reload();
      await user.page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
      const { tokens: next } = await sessionOf(user, app);
      assert.notEqual(next.accessToken, tokens.accessToken);
      assert.ok(next.issuedAt > tokens.issuedAt, 'The cookie must have the time of the new token.');
    }),

  'refreshes once when two tabs find the access token about to expire': (app) =>
    visit(app, async (user) => {
      await signIn(user);
      const tabs = [await user.context.newPage(), await user.context.newPage()];
      await letExpire(user, app);
      const refreshes: string[] = [];
      user.context.on('request', (request) => {
        if (request.url() === `${app.origin}/refresh`) refreshes.push(request.method());
      });
      // Both queue for /config and /me while the first page holds the lock, so neither can be done before the other begins.
      await user.page.evaluate(
        `navigator.locks.request('session', () => new Promise((release) => (onclick = release))); 0`,
      );
      await Promise.all(tabs.map((page) => page.goto(app.origin)));
      await user.page.waitForFunction('navigator.locks.query().then(({ pending }) => pending.length === 4)');
      await user.page.evaluate('onclick()');
      for (const page of tabs) await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
      assert.deepEqual(refreshes, ['POST']);
    }),

  'stays signed in when another website opens /me three times at once': (app) =>
    visit(app, async (user) => {
      await signIn(user);
      const { cookie } = await letExpire(user, app);
      const website = await user.context.newPage();
      // The provider is at 127.0.0.1, so its pages are those of another site.
      await website.goto(`${app.issuer}/.well-known/openid-configuration`);
      const requests: Promise<Record<string, string>>[] = [];
      const allAnswered = user.context.waitForEvent('response', (response) => {
        if (response.url() === `${app.origin}/me`) requests.push(response.request().allHeaders());
        return requests.length === 3;
      });
      await website.evaluate(`for (let i = 0; i < 3; i++) open('${app.origin}/me')`);
      await allAnswered;
      for (const headers of await Promise.all(requests))
        assert.deepEqual([headers['sec-fetch-site'], headers['cookie']], ['cross-site', `session=${cookie}`]);
      assert.equal(await sessionCookie(user, app), cookie);
      await user.page.reload();
      await user.page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor();
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

  'says in its own words why the provider refuses, and repeats nothing else': (app) =>
    visit(app, async (user) => {
      const words = {
        login_required: 'The provider has to ask you something first. Try again.',
        temporarily_unavailable: 'The provider is busy. Try again later.',
        server_error: 'The provider has failed. Try again later.',
        invalid_scope: 'The sign-in has failed (invalid_scope).',
        constructor: 'The sign-in has failed (constructor).',
        'Call 555-0100': 'The sign-in has failed.',
        [`long${'_'.repeat(40)}`]: 'The sign-in has failed.',
      };
      for (const [error, text] of Object.entries(words)) {
        await user.context.route(`${app.issuer}/auth?*`, (route) => {
          const state = new URL(route.request().url()).searchParams.get('state') ?? '';
          const error_description = 'Call 555-0100 and say your password.';
          const answer = new URLSearchParams({ error, error_description, state, iss: app.issuer });
          return route.fulfill({ status: 302, headers: { location: `${app.origin}/callback?${answer}` } });
        });
        await button(user.page, 'Sign in').click();
        await says(user.page, 'alert', text);
        assert.equal(await user.page.getByRole('alert').textContent(), text);
        await user.context.unroute(`${app.issuer}/auth?*`);
      }
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
      // A fault of the page is no missing answer.
      await user.page.evaluate('navigator.locks.request = null; 0');
      await button(user.page, 'Refresh').click();
      await says(user.page, 'alert', 'navigator.locks.request is not a function');
    }),

  'says where to open it when the browser withholds what it needs': (app) =>
    visit(app, async ({ context }) => {
      // As at an address of the local network: neither https nor localhost.
      await context.route('http://app.example/**', async (route) => {
        const { pathname } = new URL(route.request().url());
        await route.fulfill({ response: await route.fetch({ url: app.origin + pathname }) });
      });
      const page = await context.newPage();
      await page.goto('http://app.example/');
      assert.equal(await page.evaluate('isSecureContext'), false);
      await says(page, 'alert', 'Open it at https://, or at http://localhost.');
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
      assert.deepEqual([response.status, await response.json()], [401, EXPIRED]);
      await assertSignedOut(app, cookie, 'of a user who has signed out');
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

/** Puts a session into the browser whose access token ends in 30 seconds. */
async function letExpire(user: Visit, app: SignInApp): Promise<SealedSession & { cookie: string }> {
  const { cookie: _, ...session } = await sessionOf(user, app);
  const { issuedAt, expiresIn } = session.tokens;
  const older = { ...session, tokens: { ...session.tokens, issuedAt: issuedAt - expiresIn + 30 } };
  const cookie = seal(app.sessionSecret, older);
  await user.context.addCookies([{ name: 'session', value: cookie, url: app.origin }]);
  return { ...older, cookie };
}

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
