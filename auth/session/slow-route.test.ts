import { afterEach, expect, it, vi } from 'vitest';
import { useSessionServers } from './fixtures/session-servers.ts';
import { APP, startUserAgent } from './fixtures/user-agent.ts';
import type { UserAgent } from './fixtures/user-agent.ts';
import type { SessionServer, SessionServerOptions } from './server.ts';

const { start } = useSessionServers(['openid', 'offline_access']);

let set: string[] = [];
afterEach(() => void (set = []));
const setResponseHeaders: SessionServerOptions['setResponseHeaders'] = (headers) =>
  void set.push(...headers['set-cookie']);
const ways: [string, Partial<SessionServerOptions>][] = [
  ['by the answer of the route', {}],
  ['by setResponseHeaders', { setResponseHeaders }],
];

function later(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
}

/** The status of another route of the app. */
async function statusFor(user: UserAgent): Promise<number> {
  const route = start().withSession((_, { accessToken }) => Response.json(accessToken === undefined ? 'expired' : ''));
  return (await user.open((request) => route(request, {}), '/me')).status;
}

/** Begins a route that refreshes the session and takes long. */
async function begin(user: UserAgent, server: SessionServer): Promise<() => Promise<Response>> {
  const [runs, ends] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const route = server.withSession(async () => {
    runs.resolve();
    await ends.promise;
    return new Response();
  });
  const answered = route(user.request('/report'), {});
  await runs.promise;
  return async () => {
    ends.resolve();
    const answer = await answered;
    for (const cookie of set) answer.headers.append('set-cookie', cookie);
    return user.take(answer);
  };
}

function countHolds(): number {
  const { holds } = Reflect.get(globalThis, Symbol.for('appkit.auth.refreshes')) as { holds: Set<unknown> };
  return holds.size;
}

it.each(ways)('keeps a session whose refresh a slow route has not yet told, kept %s', async (_, options) => {
  const [server, user] = [start(options), startUserAgent()];
  await user.signIn(server);
  later(3590);
  const end = await begin(user, server);
  // The browser still has the cookie of before, whose refresh token is used up.
  later(120);
  expect(await statusFor(user)).toBe(200);
  await end();
  later(3590);
  expect(await statusFor(user)).toBe(200);
});

it.each(ways)('does not replace a newer session when a slow route ends, kept %s', async (_, options) => {
  const [server, user] = [start(options), startUserAgent()];
  await user.signIn(server);
  later(3590);
  const end = await begin(user, server);
  expect(await statusFor(user)).toBe(200);
  later(3590);
  expect(await statusFor(user)).toBe(200);
  later(120);
  await end();
  later(120);
  expect(await statusFor(user)).toBe(200);
  later(3590);
  expect(await statusFor(user)).toBe(200);
});

it.each(ways)('does not sign in again a user who has signed out two minutes before, kept %s', async (_, options) => {
  const [server, user] = [start(options), startUserAgent()];
  await user.signIn(server);
  later(3590);
  const end = await begin(user, server);
  await user.open(server.POST, '/auth/sign-out', { method: 'POST', headers: { origin: APP } });
  later(120);
  expect((await end()).status).toBe(200);
  expect([...user.cookies]).toEqual([]);
});

it.each(ways)('does not sign a user out of another sign-in two minutes before, kept %s', async (_, options) => {
  const [server, user] = [start(options), startUserAgent()];
  await user.signIn(server);
  later(3590);
  const end = await begin(user, server);
  // Perhaps with another account.
  await user.signIn(server);
  const cookie = user.cookies.get('__Host-auth-session');
  expect(await statusFor(user)).toBe(200);
  later(120);
  expect((await end()).status).toBe(200);
  expect(user.cookies.get('__Host-auth-session')).toBe(cookie);
});

it('does not sign a user out of another sign-in by the refresh of the last one', async () => {
  const [server, user] = [start(), startUserAgent()];
  await user.signIn(server);
  later(3590);
  const sentBefore = user.request('/me');
  const [asked, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (...given: Parameters<typeof fetch>) => {
    const request = new Request(...given);
    if ((await request.clone().text()).includes('grant_type=refresh_token')) {
      asked.resolve();
      await goesOn.promise;
    }
    return fetch(request);
  });
  const route = server.withSession(() => new Response());
  const answered = route(user.request('/report'), {});
  await asked.promise;
  await user.signIn(server);
  const cookie = user.cookies.get('__Host-auth-session');
  goesOn.resolve();
  // It was for the session of before. So is the other request, which the browser sent then.
  for (const answer of [await answered, await route(sentBefore, {})]) {
    expect([(await user.take(answer)).status, answer.headers.getSetCookie()]).toEqual([401, []]);
    expect(user.cookies.get('__Host-auth-session')).toBe(cookie);
  }
  expect(await statusFor(user)).toBe(200);
});

it('refreshes a session again whose tokens have expired before a slow route has told them', async () => {
  const [server, user] = [start(), startUserAgent()];
  await user.signIn(server);
  later(3590);
  const end = await begin(user, server);
  // The browser still has the cookie of before, and the next tokens have expired as well.
  later(3700);
  const route = server.withSession((_, { accessToken }) =>
    Response.json(accessToken === undefined ? 'expired' : 'fresh'),
  );
  const answer = await user.open((request) => route(request, {}), '/me');
  expect(await answer.json()).toBe('fresh');
  await end();
  later(3590);
  expect(await statusFor(user)).toBe(200);
});

it('knows a session for requests that the browser sent before the answer of a slow route', async () => {
  const [server, user] = [start(), startUserAgent()];
  await user.signIn(server);
  later(3590);
  const end = await begin(user, server);
  later(120);
  const sentBefore = user.request('/me');
  await end();
  const route = server.withSession(() => new Response());
  expect((await route(sentBefore, {})).status).toBe(200);
});

it('forgets a slow route whose session could not be told', async () => {
  const failing = (): never => {
    throw new TypeError('The response has been sent.');
  };
  const [server, user] = [start({ setResponseHeaders: failing }), startUserAgent()];
  await user.signIn(server);
  later(3590);
  const end = await begin(user, server);
  await expect(end()).rejects.toThrow('has been sent');
  expect(countHolds()).toBe(0);
});

it('forgets after hours a slow route that never ends', async () => {
  const [server, user] = [start(), startUserAgent()];
  await user.signIn(server);
  later(3590);
  const end = await begin(user, server);
  expect(countHolds()).toBe(1);
  later(7300);
  const other = startUserAgent();
  await other.signIn(server);
  later(3590);
  expect(await statusFor(other)).toBe(200);
  expect(countHolds()).toBe(0);
  await end();
});
