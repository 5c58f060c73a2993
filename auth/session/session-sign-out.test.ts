import { expect, it, vi } from 'vitest';
import { startHostileProvider } from './fixtures/hostile/provider.ts';
import type { Lies } from './fixtures/hostile/provider.ts';
import { useSessionServers } from './fixtures/session-servers.ts';
import { APP, startUserAgent } from './fixtures/user-agent.ts';
import type { UserAgent } from './fixtures/user-agent.ts';
import type { SessionServer, SessionServerOptions } from './server.ts';

// Its document is kept for an hour.
function forgetDiscovery(): void {
  const shared = globalThis as unknown as Record<symbol, Map<string, unknown> | undefined>;
  shared[Symbol.for('appkit.auth.discovery')]?.clear();
}

const servers = useSessionServers(['openid', 'offline_access']);
const { secret, start } = servers;

function signOut(user: UserAgent, server: SessionServer): Promise<Response> {
  return user.open(server.POST, '/auth/sign-out', { method: 'POST', headers: { origin: APP } });
}

/** Holds answers of the token endpoint back, and notes the refresh tokens that it gives and those that are revoked. */
function watchProvider() {
  const [given, revoked]: [string[], string[]] = [[], []];
  const [hasGiven, hasRevoked, mayGoOn] = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/token/revocation') {
      revoked.push(new URLSearchParams(await request.clone().text()).get('token') ?? '');
      hasRevoked?.resolve();
    }
    const response = await fetch(request);
    if (pathname === '/token') {
      const { refresh_token: refreshToken } = (await response.clone().json()) as { refresh_token: string };
      given.push(refreshToken);
      hasGiven?.resolve();
      await mayGoOn?.promise;
    }
    return response;
  });
  return {
    given,
    revoked,
    hasGiven: hasGiven?.promise,
    hasRevoked: hasRevoked?.promise,
    letGo: () => mayGoOn?.resolve(),
  };
}

it('ends a refresh that is under way: its tokens are revoked, and nobody gets them', async () => {
  const [server, user] = [start(), startUserAgent()];
  await user.signIn(server);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3590_000 });
  const { given, revoked, hasGiven, hasRevoked, letGo } = watchProvider();
  const run = vi.fn(() => new Response('done'));
  const late = user.open((request) => server.withSession(run)(request, {}), '/me');
  await hasGiven;
  const left = signOut(user, server);
  await hasRevoked;
  letGo();
  expect((await left).status).toBe(303);
  expect((await late).status).toBe(401);
  expect([...user.cookies]).toEqual([]);
  expect([given.length, revoked.length, revoked[1]]).toEqual([1, 2, given[0]]);
  expect(run).not.toHaveBeenCalled();
});

it('revokes what a refresh has got a moment ago, when the browser has not yet been told', async () => {
  const [server, user] = [start(), startUserAgent()];
  await user.signIn(server);
  const copy = startUserAgent();
  copy.cookies = new Map(user.cookies);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3590_000 });
  const { given, revoked, letGo } = watchProvider();
  letGo();
  await user.open((request) => server.withSession(() => new Response())(request, {}), '/me');
  await signOut(copy, server);
  expect([given.length, revoked.length, revoked[1]]).toEqual([1, 2, given[0]]);
  const again = await copy.open((request) => server.withSession(() => new Response())(request, {}), '/me');
  expect([again.status, copy.cookies.size]).toEqual([401, 0]);
});

it('holds for requests with the cookie of before the last refresh', async () => {
  const [server, user] = [start(), startUserAgent()];
  await user.signIn(server);
  const copy = startUserAgent();
  copy.cookies = new Map(user.cookies);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3590_000 });
  const route = server.withSession(() => new Response());
  await user.open((request) => route(request, {}), '/me');
  await signOut(user, server);
  const late = await copy.open((request) => route(request, {}), '/me');
  expect([late.status, copy.cookies.size]).toEqual([401, 0]);
});

it.each([
  ['by the answer of the route', false],
  ['by setResponseHeaders', true],
])('holds while a route runs, whose session is kept %s', async (_, isSetBefore) => {
  const set: string[] = [];
  const user = startUserAgent();
  await user.signIn(start());
  // A session that an older secret has sealed is written again by each route.
  const setResponseHeaders: SessionServerOptions['setResponseHeaders'] = (headers) =>
    void set.push(...headers['set-cookie']);
  const server = start({
    secrets: ['another secret of the tests, as long', secret],
    ...(isSetBefore ? { setResponseHeaders } : {}),
  });
  const [runs, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const route = server.withSession(async () => {
    runs.resolve();
    await goesOn.promise;
    return new Response();
  });
  const request = user.request('/me');
  const answered = route(request, {});
  await runs.promise;
  await signOut(user, server);
  goesOn.resolve();
  const answer = await answered;
  for (const cookie of set) answer.headers.append('set-cookie', cookie);
  await user.take(answer);
  expect([answer.status, user.cookies.size]).toEqual([200, 0]);
});

it.each([
  [
    '/token/revocation',
    (location: URL) => `${location.origin}${location.pathname}`,
    () => `${servers.provider.issuer}/session/end`,
  ],
  ['/.well-known/openid-configuration', (location: URL) => location.href, () => `${APP}/`],
])('waits five seconds at most for %s, which goes on by runTask', async (path, read, expected) => {
  const tasks: Promise<void>[] = [];
  const [server, user] = [start({ runTask: (task) => void tasks.push(task()) }), startUserAgent()];
  await user.signIn(server);
  if (path.startsWith('/.well-known')) forgetDiscovery();
  const [isAsked, mayAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { fetch } = globalThis;
  const revoked: number[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname === path) {
      isAsked.resolve();
      await mayAnswer.promise;
    }
    const response = await fetch(request);
    if (pathname === '/token/revocation') revoked.push(response.status);
    return response;
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const left = signOut(user, server);
  await isAsked.promise;
  await vi.advanceTimersByTimeAsync(5000);
  const response = await left;
  expect([response.status, read(new URL(response.headers.get('location') ?? ''))]).toEqual([303, expected()]);
  expect([...user.cookies]).toEqual([]);
  mayAnswer.resolve();
  await Promise.all(tasks);
  expect([tasks.length, revoked]).toEqual([1, [200]]);
});

it('redirects the form of a page, which a script receives as JSON', async () => {
  const [server, user] = [start(), startUserAgent()];
  await user.signIn(server);
  const form = { method: 'POST', headers: { origin: APP, accept: 'text/html,application/xhtml+xml' } };
  expect((await user.open(server.POST, '/auth/sign-out', form)).status).toBe(303);
});

it('leaves no timer behind', async () => {
  const [server, user] = [start(), startUserAgent()];
  await user.signIn(server);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await signOut(user, server);
  expect(vi.getTimerCount()).toBe(0);
});

it('signs out here when the provider takes long and nothing runs after the answer', async () => {
  const [server, user] = [start(), startUserAgent()];
  await user.signIn(server);
  const [isAsked, mayAnswer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { fetch } = globalThis;
  const done = Promise.withResolvers<void>();
  vi.stubGlobal('fetch', async (request: Request) => {
    if (!request.url.endsWith('/token/revocation')) return fetch(request);
    isAsked.resolve();
    await mayAnswer.promise;
    return fetch(request).finally(done.resolve);
  });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const left = signOut(user, server);
  await isAsked.promise;
  await vi.advanceTimersByTimeAsync(5000);
  expect([(await left).status, [...user.cookies]]).toEqual([303, []]);
  mayAnswer.resolve();
  await done.promise;
});

it.each<[string, Lies, object]>([
  [
    'does not revoke',
    { reply: { revoke: () => ({ status: 503, headers: {}, body: '' }) } },
    { code: 'invalid_response' },
  ],
  [
    'sends the browser to a script',
    { metadata: (honest) => ({ ...honest, end_session_endpoint: 'javascript:alert(1)' }) },
    { code: 'ERR_AUTH_ENDPOINT' },
  ],
])('signs out here, and calls onError, when the provider %s', async (_, lies, expected) => {
  await using provider = await startHostileProvider();
  provider.begin(lies);
  const [server, user] = [start({ issuer: provider.issuer, clientId: 'client', claims: [] }), startUserAgent()];
  const begun = await user.open(server.GET, '/auth/sign-in');
  const asked = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
  await user.open(server.GET, asked.headers.get('location') ?? '');
  expect(user.cookies.size).toBe(1);
  const response = await signOut(user, server);
  expect([response.status, user.cookies.size]).toEqual([303, 0]);
  expect(response.headers.get('location')).toMatch(/^http/);
  expect(servers.errors.splice(0)).toMatchObject([expected]);
});
