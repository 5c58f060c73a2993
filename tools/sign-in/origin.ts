import assert from 'node:assert/strict';
import type { ServerProcess } from '../../conformance/server-process.ts';

/** Starts the example with an `APP_ORIGIN`. */
type Start = (appOrigin: string) => Promise<ServerProcess>;

/** The effect of `APP_ORIGIN`, as set behind a proxy that ends TLS. */
export const originChecks: Record<string, (start: Start) => Promise<void>> = {
  async 'its cookies are Secure for users who come by https'(start) {
    for (const setting of ['https://app.example', 'https://app.example/', 'HTTPS://App.Example:443']) {
      const server = await start(setting);
      try {
        // The proxy passes on its own Host, so only the browser says that the page has the same origin.
        const own = { origin: 'https://app.example', 'sec-fetch-site': 'same-origin', cookie: '__Host-auth-session=x' };
        const response = await signOut(server, own);
        const [cookie = ''] = response.headers.getSetCookie();
        assert.deepEqual([response.status, response.headers.get('location')], [303, 'https://app.example/'], setting);
        assert.equal(cookie, '__Host-auth-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure', setting);
        assert.equal((await signOut(server, { origin: server.origin })).status, 403, setting);
      } finally {
        await server.stop();
      }
    }
  },

  async 'treats an empty APP_ORIGIN as missing'(start) {
    const server = await start('');
    try {
      assert.equal((await signOut(server, { origin: server.origin })).status, 303);
      assert.equal((await signOut(server, { origin: 'https://app.example' })).status, 403);
    } finally {
      await server.stop();
    }
  },

  async 'says in the log what is wrong with APP_ORIGIN'(start) {
    for (const setting of ['app.example', 'app.example:443', 'https://']) {
      const server = await start(setting);
      try {
        assert.equal((await signOut(server, { origin: server.origin })).status, 500, setting);
        // Bun also prints the line of code, which contains the value as ${…}.
        const [, value, advice] = await server.waitForOutput(/origin is "([^"$]*)"\. (.*)/);
        assert.deepEqual([value, advice], [setting, 'Write it with https:// or http://, such as https://app.example.']);
      } finally {
        await server.stop();
      }
    }
  },
};

function signOut(server: ServerProcess, headers: Record<string, string>): Promise<Response> {
  return fetch(`${server.origin}/auth/sign-out`, { method: 'POST', headers, redirect: 'manual' });
}
