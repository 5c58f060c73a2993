import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { ask, cookieOf, signIn, waitForAudit } from './app.ts';
import type { App, ExampleChecks } from './app.ts';

const GUARDED = ['/admin/audit', '/admin/audit/'];

/** The session, the middleware that requires it, `setResponseHeaders` and `runTask`. */
export const sessionChecks: ExampleChecks = {
  async 'answers 401 for the audit log without a session, however its path is written'(app) {
    for (const path of GUARDED) {
      const response = await ask(app, path);
      assert.deepEqual([response.status, await response.json()], [401, { error: 'Sign in first: POST /session.' }]);
      assert.equal(response.headers.get('cache-control'), 'no-store');
    }
  },

  async 'signs in with a cookie that only the server can read, and opens the audit log'(app) {
    const response = await signIn(app, 'guest');
    assert.deepEqual([response.status, await response.json()], [200, { user: 'guest' }]);
    const attributes = response.headers.getSetCookie()[0]?.split('; ').slice(1).toSorted();
    // No Secure: the check talks plain http.
    assert.deepEqual(attributes, ['HttpOnly', 'Max-Age=3600', 'Path=/', 'SameSite=Lax']);

    const cookie = cookieOf(response);
    assert.deepEqual(await statusesOfGuarded(app, cookie), [200, 200]);
    assert.deepEqual(await (await ask(app, '/session', { headers: { cookie } })).json(), { user: 'guest' });
  },

  async 'signs out with a cookie that ends the session'(app) {
    const response = await ask(app, '/session', { method: 'DELETE' });
    assert.equal(response.status, 204);
    const [cookie = '', ...attributes] = response.headers.getSetCookie()[0]?.split('; ') ?? [];
    assert.equal(cookie, 'session=');
    assert.deepEqual(attributes.toSorted(), ['HttpOnly', 'Max-Age=0', 'Path=/', 'SameSite=Lax']);
    assert.deepEqual(await statusesOfGuarded(app, cookie), [401, 401]);
  },

  async 'refuses a wrong password, and writes it into the audit log (runTask)'(app) {
    const response = await signIn(app, 'eve', 'guess');
    assert.deepEqual([response.status, await response.json()], [401, { error: 'The password is wrong.' }]);
    assert.deepEqual(response.headers.getSetCookie(), []);
    await waitForAudit(app, /A wrong password was given for eve/);
  },

  async 'refuses a forged session'(app) {
    const inAnHour = Date.now() + 60 * 60 * 1000;
    // The same cookie with the right secret is accepted, so the secret makes the difference.
    assert.deepEqual(await statusesOfGuarded(app, sessionCookie(app.sessionSecret, inAnHour)), [200, 200]);
    assert.deepEqual(await statusesOfGuarded(app, sessionCookie('another secret', inAnHour)), [401, 401]);

    const [, signature = ''] = cookieOf(await signIn(app, 'guest')).split('.');
    const [payload = ''] = sessionCookie(app.sessionSecret, inAnHour).split('.');
    for (const forged of [`${payload}.${signature}`, payload, `${payload}.`, 'session=.', 'session=e30.e30']) {
      assert.deepEqual(await statusesOfGuarded(app, forged), [401, 401], forged);
    }
  },

  async 'refuses an expired session'(app) {
    assert.deepEqual(await statusesOfGuarded(app, sessionCookie(app.sessionSecret, Date.now() - 1)), [401, 401]);
  },
};

async function statusesOfGuarded(app: App, cookie: string): Promise<number[]> {
  const responses = await Promise.all(GUARDED.map((path) => ask(app, path, { headers: { cookie } })));
  await Promise.all(responses.map((response) => response.arrayBuffer()));
  return responses.map(({ status }) => status);
}

function sessionCookie(secret: string, expiresAtMs: number): string {
  const payload = Buffer.from(JSON.stringify({ user: 'mallory', expiresAtMs })).toString('base64url');
  return `session=${payload}.${createHmac('sha256', secret).update(payload).digest('base64url')}`;
}
