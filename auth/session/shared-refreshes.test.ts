import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { startHostileProvider } from './fixtures/hostile/provider.ts';
import type { HostileProvider, Lies } from './fixtures/hostile/provider.ts';
import { APP, startUserAgent } from './fixtures/user-agent.ts';
import type { UserAgent } from './fixtures/user-agent.ts';
import { watchForms } from './fixtures/watch-forms.ts';
import { createSessionServer } from './server.ts';
import type { SessionServer, SessionServerOptions } from './server.ts';
import type { StoredSession } from './server-session.ts';
import { toSettings } from './session-server-options.ts';
import type { Settings } from './session-server-options.ts';
import { endRefreshes, holdSession, keyOf, newestTokens, sharedRefreshes } from './shared-refreshes.ts';
import type { Refresh } from './shared-refreshes.ts';
import { TokenResponse } from './token-response.ts';

let provider: HostileProvider;
const errors: unknown[] = [];

beforeAll(async () => {
  provider = await startHostileProvider();
});

beforeEach(() => shared()?.refreshes.clear());

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  expect(errors.splice(0)).toEqual([]);
});

afterAll(() => provider[Symbol.asyncDispose]());

/** What the requests of this process share. */
function shared(): { refreshes: Map<string, unknown> } | undefined {
  return Reflect.get(globalThis, Symbol.for('appkit.auth.refreshes')) as ReturnType<typeof shared>;
}

function start(issuer = provider.issuer, runTask?: SessionServerOptions['runTask']): SessionServer {
  const secrets = ['a secret of the tests, long enough'];
  const onError = (error: unknown): void => void errors.push(error);
  return createSessionServer({ issuer, clientId: 'client', secrets, claims: [], onError, runTask });
}

async function signIn(server: SessionServer, user = startUserAgent()): Promise<UserAgent> {
  const begun = await user.open(server.GET, '/auth/sign-in');
  const asked = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
  const back = await user.open(server.GET, asked.headers.get('location') ?? '');
  expect([back.status, back.headers.get('location')]).toEqual([303, `${APP}/`]);
  return user;
}

/** The access token that a route sees, or the status of its answer. */
async function seenBy(user: UserAgent, server: SessionServer): Promise<unknown> {
  const route = server.withSession((_, { accessToken }) => Response.json(accessToken));
  const answer = await user.open((request) => route(request, {}), '/me');
  return answer.status === 200 ? answer.json() : answer.status;
}

function signOut(user: UserAgent, server: SessionServer): Promise<Response> {
  return user.open(server.POST, '/auth/sign-out', { method: 'POST', headers: { origin: APP } });
}

/** A browser that has the cookies of another one, as they are now. */
function copyOf({ cookies }: UserAgent): UserAgent {
  return Object.assign(startUserAgent(), { cookies: new Map(cookies) });
}

function later(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
}

/** Each answer has new tokens, which live for 30 seconds: a route refreshes them after 15. */
function rotating(): Lies {
  let count = 0;
  return {
    tokens(honest) {
      count++;
      return { ...honest, access_token: `access-${count}`, refresh_token: `refresh-${count}`, expires_in: 30 };
    },
  };
}

const requestsTo = (path: string): number => provider.asked.filter((asked) => asked === path).length;

/** Sends five requests, of which four wait for the refresh of the first. Its answer then comes, and is as the provider says. */
async function fiveRequests(lies: Lies): Promise<unknown[]> {
  provider.begin(rotating());
  const server = start();
  const user = await signIn(server);
  const now = Date.now() + 20_000;
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'], now });
  provider.begin(lies);
  const [isAsked, mayGoOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let underWay = 0;
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (request: Request) => {
    underWay++;
    isAsked.resolve();
    await mayGoOn.promise;
    return fetch(request).finally(() => underWay--);
  });
  const asking = [seenBy(user, server)];
  await isAsked.promise;
  const timers = vi.getTimerCount();
  asking.push(...[2, 3, 4, 5].map(() => seenBy(copyOf(user), server)));
  while (vi.getTimerCount() < timers + 4) await new Promise((resolve) => setImmediate(resolve));
  mayGoOn.resolve();
  const end = { hasCome: false };
  const seen = Promise.all(asking).finally(() => (end.hasCome = true));
  while (!end.hasCome) {
    // However slow this machine is, the tokens do not expire, and no fetch takes too long.
    if (underWay === 0) await vi.advanceTimersByTimeAsync(20);
    vi.setSystemTime(now);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return seen;
}

it('refreshes in one other request when the first one got no answer', async () => {
  const seen = await fiveRequests({
    tokens: (honest) => ({ ...honest, access_token: 'next' }),
    reply: { token: (honest, count) => (count === 1 ? null : honest) },
  });
  expect([seen, requestsTo('/token')]).toEqual([['access-1', 'next', 'next', 'next', 'next'], 2]);
  expect(errors.splice(0)).toMatchObject([{ code: 'no_response' }]);
});

it('asks a provider that is down twice at most for requests that come together', async () => {
  const seen = await fiveRequests({ reply: { token: () => null } });
  expect([seen, requestsTo('/token')]).toEqual([Array(5).fill('access-1'), 2]);
  expect(errors.splice(0).map((error) => (error as { code?: string }).code)).toEqual(Array(5).fill('no_response'));
});

it('does not ask a provider again for ten seconds that has failed twice for a session', async () => {
  let count = 0;
  provider.begin({
    tokens: (honest) => ({
      ...honest,
      access_token: `access-${++count}`,
      refresh_token: `refresh-${count}`,
      expires_in: 120,
    }),
  });
  const server = start();
  const [user, other] = [await signIn(server), await signIn(server)];
  later(70);
  provider.begin({ reply: { token: (honest) => ({ ...honest, status: 503, body: '' }) } });
  const seen = [await seenBy(user, server), await seenBy(user, server), await seenBy(user, server)];
  expect([seen, requestsTo('/token')]).toEqual([Array(3).fill('access-1'), 2]);
  await seenBy(other, server);
  expect(requestsTo('/token')).toBe(3);
  later(9);
  await seenBy(user, server);
  expect(requestsTo('/token')).toBe(3);
  later(1);
  await seenBy(user, server);
  await seenBy(user, server);
  expect(requestsTo('/token')).toBe(4);
  const statuses = errors.splice(0).map((error) => (error as { info?: { status: number } }).info?.status);
  expect(statuses).toEqual(Array(7).fill(503));
  provider.begin({ tokens: (honest) => ({ ...honest, access_token: 'next' }) });
  later(10);
  expect(await seenBy(user, server)).toBe('next');
});

it('asks a provider that has failed twice again when the clock is set back meanwhile', async () => {
  provider.begin({ tokens: (honest) => ({ ...honest, refresh_token: 'refresh', expires_in: 120 }) });
  const server = start();
  const user = await signIn(server);
  later(100);
  provider.begin({ reply: { token: (honest) => ({ ...honest, status: 503, body: '' }) } });
  for (const _ of [1, 2, 3]) await seenBy(user, server);
  expect([requestsTo('/token'), errors.splice(0).length]).toEqual([2, 3]);
  later(-20);
  provider.begin({ tokens: (honest) => ({ ...honest, access_token: 'next' }) });
  expect(await seenBy(user, server)).toBe('next');
});

it('does not repeat a refresh that the provider has refused for requests that come together', async () => {
  const seen = await fiveRequests({ tokens: () => ({ error: 'invalid_grant' }) });
  expect([seen, requestsTo('/token')]).toEqual([Array(5).fill(401), 1]);
});

/** The answers of two instances to requests that the browser sent together: only one may use the refresh token. */
async function twoInstances(user: UserAgent, server: SessionServer): Promise<[Response, Response]> {
  const route = server.withSession((_, { accessToken }) => Response.json(accessToken));
  const requests = [user.request('/me'), user.request('/me')] as const;
  const refreshed = await route(requests[0], {});
  shared()?.refreshes.clear();
  const { lies } = provider;
  provider.begin({ tokens: () => ({ error: 'invalid_grant' }) });
  const refused = await route(requests[1], {});
  expect([refreshed.status, refused.status]).toEqual([200, 401]);
  provider.begin(lies);
  return [refreshed, refused];
}

it('keeps the session that one instance has refreshed when the refusal of another comes after it', async () => {
  provider.begin(rotating());
  const server = start();
  const user = await signIn(server);
  later(20);
  const [refreshed, refused] = await twoInstances(user, server);
  await user.take(refreshed);
  await user.take(refused);
  expect([await seenBy(user, server), requestsTo('/token')]).toEqual(['access-2', 0]);
});

it('keeps it when the refusal comes first, and a request after that', async () => {
  provider.begin(rotating());
  const server = start();
  const user = await signIn(server);
  later(20);
  const [refreshed, refused] = await twoInstances(user, server);
  await user.take(refused);
  const late = server.withSession(() => new Response())(user.request('/me'), {});
  const guarded = server.guard(user.request('/account'));
  await user.take(refreshed);
  for (const answer of await Promise.all([late, guarded])) {
    expect(answer?.status).toBe(401);
    if (answer) await user.take(answer);
  }
  expect([await seenBy(user, server), requestsTo('/token')]).toEqual(['access-2', 0]);
  // The next refresh removes what the refusal has left.
  later(20);
  expect(await seenBy(user, server)).toBe('access-3');
  expect([...user.cookies.keys()]).toEqual(['__Host-auth-session']);
});

it('ends a session whose refresh is refused on each instance, until the next sign-in', async () => {
  provider.begin(rotating());
  const server = start();
  const user = await signIn(server);
  const { lies } = provider;
  later(20);
  provider.begin({ tokens: () => ({ error: 'invalid_grant' }) });
  const refused = await user.open((request) => server.withSession(() => new Response())(request, {}), '/me');
  expect([refused.status, refused.headers.getSetCookie()]).toEqual([
    401,
    [
      // Until the end of the session, which began 20 of its 604800 seconds ago.
      expect.stringMatching(
        /^__Host-auth-session\.refused=[\w-]{22}; Path=\/; Max-Age=6047[678]\d; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ],
  ]);
  shared()?.refreshes.clear();
  const guarded = await server.guard(user.request('/account'));
  expect([await server.read(user.request('/')), guarded?.status, await seenBy(user, server)]).toEqual([null, 401, 401]);
  expect(requestsTo('/token')).toBe(1);
  provider.begin(lies);
  await signIn(server, user);
  expect([...user.cookies.keys()]).toEqual(['__Host-auth-session']);
  expect(await seenBy(user, server)).toBe('access-2');
});

it.each<[string, (user: UserAgent, server: SessionServer) => Promise<unknown>, boolean]>([
  ['sign-out', signOut, false],
  ['next sign-in', (user, server) => signIn(server, user), true],
])(
  'stores no session over a %s, when a request that has refreshed it ends after that',
  async (_, change, isSignedIn) => {
    provider.begin(rotating());
    const server = start();
    const user = await signIn(server);
    later(20);
    const [isBegun, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow = server.withSession(async () => {
      isBegun.resolve();
      await mayEnd.promise;
      return new Response();
    });
    const answering = slow(user.request('/me'), {});
    await isBegun.promise;
    // Another instance, which knows nothing of that refresh, is refused.
    const known = [...(shared()?.refreshes ?? [])];
    shared()?.refreshes.clear();
    const { lies } = provider;
    provider.begin({ tokens: () => ({ error: 'invalid_grant' }) });
    expect(await seenBy(user, server)).toBe(401);
    provider.begin(lies);
    for (const [key, refresh] of known) shared()?.refreshes.set(key, refresh);
    await change(user, server);
    const { cookies } = copyOf(user);
    mayEnd.resolve();
    await user.take(await answering);
    expect([user.cookies, (await server.read(user.request('/'))) !== null]).toEqual([cookies, isSignedIn]);
  },
);

it('removes a session whose refresh was refused at a sign-out', async () => {
  provider.begin(rotating());
  const server = start();
  const user = await signIn(server);
  later(20);
  provider.begin({ tokens: () => ({ error: 'invalid_grant' }) });
  await seenBy(user, server);
  await signOut(user, server);
  expect([...user.cookies]).toEqual([]);
});

it('asks again after a refusal: the provider may return the same tokens after the next sign-in', async () => {
  provider.begin(rotating());
  const server = start();
  const user = await signIn(server);
  const copy = copyOf(user);
  later(20);
  provider.begin({ tokens: () => ({ error: 'interaction_required' }) });
  expect(await seenBy(user, server)).toBe(401);
  provider.begin({});
  expect(await seenBy(copy, server)).toBe('the-access-token');
});

it('takes the next tokens of a provider that sends no id_token with them', async () => {
  provider.begin(rotating());
  const server = start();
  const user = await signIn(server);
  later(20);
  provider.begin({ tokens: (honest) => ({ ...honest, id_token: undefined }) });
  expect(await seenBy(user, server)).toBe('the-access-token');
});

it('takes the same tokens again, and asks for them once', async () => {
  provider.begin({ tokens: (honest) => ({ ...honest, expires_in: 30 }) });
  const server = start();
  const user = await signIn(server);
  const copy = copyOf(user);
  later(20);
  provider.begin(provider.lies);
  expect(await seenBy(user, server)).toBe('the-access-token');
  later(20);
  expect(await seenBy(copy, server)).toBe('the-access-token');
  expect(requestsTo('/token')).toBe(1);
});

it('forgets the outcome of a refresh after a minute', async () => {
  provider.begin(rotating());
  const server = start();
  const user = await signIn(server);
  const copy = copyOf(user);
  // The refreshing request signs that it is alive, and must stop.
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: Date.now() + 20_000 });
  await seenBy(user, server);
  const next = copyOf(user);
  vi.advanceTimersByTime(59_000);
  const forms = watchForms('/token');
  await seenBy(copyOf(copy), server);
  // Those tokens have expired meanwhile, and are refreshed.
  expect(forms.map((form) => form.get('refresh_token'))).toEqual(['refresh-2']);
  vi.advanceTimersByTime(61_000);
  await seenBy(next, server);
  expect([forms.length, shared()?.refreshes.size]).toEqual([2, 1]);
});

it('signs out of everything that was refreshed from an old cookie', async () => {
  provider.begin(rotating());
  const server = start();
  const user = await signIn(server);
  const old = copyOf(user);
  for (const expected of ['access-2', 'access-3']) {
    later(20);
    expect(await seenBy(user, server)).toBe(expected);
  }
  const forms = watchForms('/revoke');
  await signOut(old, server);
  expect(forms.map((form) => form.get('token'))).toEqual(['refresh-1', 'refresh-2', 'refresh-3']);
  later(20);
  provider.begin({});
  expect([await seenBy(user, server), provider.asked]).toEqual([401, []]);
});

it('revokes the tokens of refreshes only at the first sign-out', async () => {
  provider.begin(rotating());
  const runTask = vi.fn();
  const server = start(provider.issuer, runTask);
  const user = await signIn(server);
  const [one, other] = [copyOf(user), copyOf(user)];
  later(20);
  await seenBy(user, server);
  await signOut(one, server);
  runTask.mockClear();
  const forms = watchForms('/revoke');
  await signOut(other, server);
  expect(forms.map((form) => form.get('token'))).toEqual(['refresh-1']);
  // Nor has it waited for a refresh that nobody has begun.
  expect(runTask).not.toHaveBeenCalled();
});

it('leaves other users signed in when one signs out', async () => {
  provider.begin(rotating());
  const server = start();
  const [user, other] = [await signIn(server), await signIn(server)];
  const sentBefore = copyOf(other);
  later(20);
  expect([await seenBy(other, server), await seenBy(user, server)]).toEqual(['access-3', 'access-4']);
  const forms = watchForms('/revoke');
  await signOut(user, server);
  expect(forms.map((form) => form.get('token'))).toEqual(['refresh-4']);
  expect(await seenBy(sentBefore, server)).toBe('access-3');
  later(20);
  expect(await seenBy(other, server)).toBe('access-5');
});

it('does not refresh a session for a minute after its sign-out', async () => {
  provider.begin(rotating());
  const server = start();
  const user = await signIn(server);
  const copy = copyOf(user);
  await signOut(user, server);
  provider.begin({});
  later(59);
  expect([await seenBy(copyOf(copy), server), provider.asked]).toEqual([401, []]);
  later(2);
  // Now only the provider knows.
  await seenBy(copy, server);
  expect(requestsTo('/token')).toBe(1);
});

it('does not refresh a session either that was refreshed almost a minute before its sign-out', async () => {
  provider.begin(rotating());
  const server = start();
  const user = await signIn(server);
  const copy = copyOf(user);
  later(20);
  await seenBy(user, server);
  later(50);
  await signOut(user, server);
  provider.begin({});
  later(50);
  expect([await seenBy(copy, server), provider.asked]).toEqual([401, []]);
});

it('revokes tokens once where a refresh returns the same refresh token', async () => {
  provider.begin({ tokens: (honest) => ({ ...honest, expires_in: 30 }) });
  const server = start();
  const user = await signIn(server);
  const copy = copyOf(user);
  later(20);
  await seenBy(user, server);
  await signOut(copy, server);
  expect(requestsTo('/revoke')).toBe(1);
});

it('signs out while a refresh is under way that then fails', async () => {
  provider.begin(rotating());
  const server = start();
  const user = await signIn(server);
  const copy = copyOf(user);
  later(20);
  const [isAsked, isRevoked, mayGoOn] = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/revoke') isRevoked?.resolve();
    if (pathname !== '/token') return fetch(request);
    isAsked?.resolve();
    await mayGoOn?.promise;
    throw new TypeError('fetch failed');
  });
  const late = seenBy(user, server);
  await isAsked?.promise;
  const left = signOut(copy, server);
  await isRevoked?.promise;
  mayGoOn?.resolve();
  expect([(await left).status, await late, requestsTo('/revoke')]).toEqual([303, 401, 1]);
});

/** A session whose tokens a request refreshes. */
function sessionOf(accessToken: string): { session: StoredSession; settings: Settings; key: string } {
  const options = { issuer: provider.issuer, clientId: 'client', secrets: ['a secret of the tests, long enough'] };
  const settings = toSettings(options, new Request(APP));
  const tokens = new TokenResponse({ accessToken, refreshToken: 'r' });
  const session = { subject: 'ada', claims: {}, tokens, endsAt: 4_102_444_800, isOld: false };
  return { session, settings, key: keyOf(tokens, settings) };
}

it('knows of no refresh in a new process', () => {
  Reflect.deleteProperty(globalThis, Symbol.for('appkit.auth.refreshes'));
  const { session, settings } = sessionOf('a');
  expect([...sharedRefreshes()]).toEqual([]);
  holdSession(session, settings)();
  expect(newestTokens(session, settings)).toBe(session.tokens);
});

it('ends only the refreshes of a session: one that is under way, and is as alive as before', () => {
  const { session, settings, key } = sessionOf('a');
  expect(endRefreshes(session, 'replaced', settings)).toEqual([]);
  expect([...sharedRefreshes()]).toEqual([[key, { at: expect.any(Number), ended: 'replaced' }]]);
  const at = Date.now() - 5000;
  const refresh: Refresh = { at };
  sharedRefreshes().set(key, refresh);
  expect(endRefreshes(session, 'signed out', settings)).toEqual([refresh]);
  expect([...sharedRefreshes()]).toEqual([[key, { at, ended: 'signed out' }]]);
});

/** Begins a refresh whose request then ends without an outcome, as workerd ends one when its client disconnects. */
async function goneRefresh(user: UserAgent, server: SessionServer): Promise<() => Promise<unknown>> {
  const now = Date.now() + 55_000;
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'], now });
  const [isAsked, comesBack] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async () => {
    isAsked.resolve();
    await comesBack.promise;
    throw new TypeError('fetch failed');
  });
  const gone = seenBy(copyOf(user), server);
  await isAsked.promise;
  vi.stubGlobal('fetch', fetch);
  vi.clearAllTimers();
  return async () => {
    comesBack.resolve();
    return gone;
  };
}

it('refreshes after a request that is gone, and after the next one that gets no answer', async () => {
  provider.begin({ tokens: (honest) => ({ ...honest, expires_in: 100 }) });
  const server = start();
  const user = await signIn(server);
  const before = copyOf(user);
  const comeBack = await goneRefresh(user, server);
  provider.begin({
    tokens: (honest) => ({ ...honest, access_token: 'next', expires_in: 100 }),
    reply: { token: (honest, count) => (count === 1 ? null : honest) },
  });
  let underWay = 0;
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (request: Request) => {
    underWay++;
    return fetch(request).finally(() => underWay--);
  });
  const end = { hasCome: false };
  const last = Date.now() + 12_000;
  const asking = [seenBy(copyOf(user), server), seenBy(copyOf(user), server)];
  const seen = Promise.all(asking).finally(() => (end.hasCome = true));
  while (!end.hasCome) {
    if (underWay === 0) await vi.advanceTimersByTimeAsync(20);
    // However slow this machine is, the tokens do not expire.
    vi.setSystemTime(Math.min(Date.now(), last));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect([(await seen).toSorted(), requestsTo('/token')]).toEqual([['next', 'the-access-token'], 2]);
  // The first one was not gone after all. Its failure says nothing about the tokens that another one has got.
  expect(await comeBack()).toBe('the-access-token');
  expect([await seenBy(before, server), requestsTo('/token')]).toEqual(['next', 2]);
  expect(errors.splice(0)).toMatchObject([{ code: 'no_response' }, { code: 'no_response' }]);
});

it('signs out at a provider that cannot revoke tokens', async () => {
  await using other = await startHostileProvider();
  other.begin({ metadata: (honest) => ({ ...honest, revocation_endpoint: undefined }) });
  const server = start(other.issuer);
  const user = await signIn(server);
  expect([(await signOut(user, server)).status, user.cookies.size]).toEqual([303, 0]);
});
