import { expect, it, vi } from 'vitest';
import { clients, startProvider } from './fixtures/provider.ts';
import { useSessionServers } from './fixtures/session-servers.ts';
import { APP, startUserAgent } from './fixtures/user-agent.ts';
import type { UserAgent } from './fixtures/user-agent.ts';
import { visit } from './fixtures/visit.ts';
import { createSessionServer } from './server.ts';
import type { ServerSession, SessionServer, SessionServerOptions } from './server.ts';

const servers = useSessionServers(['openid', 'email', 'offline_access']);
const { errors, secret, start } = servers;
const { clientId, clientSecret } = clients.server;

const page = { headers: { 'sec-fetch-mode': 'navigate', accept: 'text/html' } };
const own = { method: 'POST', headers: { 'sec-fetch-site': 'same-origin', origin: APP } };

/** What a route of the app sees. */
async function seenBy(user: UserAgent, server: SessionServer): Promise<ServerSession | number> {
  let seen: ServerSession | undefined;
  const route = server.withSession((_, session) => {
    seen = session;
    return Response.json(session.claims);
  });
  const response = await user.open((request) => route(request, {}), '/me');
  return response.status === 200 && seen ? seen : response.status;
}

function later(seconds: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
}

it('signs a user in, and leads to where they wanted to go', async () => {
  const [server, user] = [start(), startUserAgent()];
  const begun = await user.open(server.GET, '/auth/sign-in?returnTo=/account%3Ftab=2');
  expect(begun.status).toBe(303);
  const asked = new URL(begun.headers.get('location') ?? '').searchParams;
  expect(Object.fromEntries(asked)).toMatchObject({
    client_id: clientId,
    code_challenge_method: 'S256',
    redirect_uri: `${APP}/auth/callback`,
    prompt: 'consent',
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  });
  const back = await user.open(server.GET, await visit(begun.headers.get('location') ?? ''));
  expect([back.status, back.headers.get('location')]).toEqual([303, `${APP}/account?tab=2`]);
  expect([...user.cookies.keys()]).toEqual(['__Host-auth-session']);
  const session = await seenBy(user, server);
  expect(session).toMatchObject({ subject: 'ada', claims: { email: 'ada@example.test' } });
  expect(await server.read(user.request('/'))).toEqual(session);
  expect(session).toMatchObject({ scopes: ['openid', 'email', 'offline_access'] });
});

it('tells the browser no token, code verifier or secret, in any answer', async () => {
  const server = start();
  const user = startUserAgent();
  await user.signIn(server);
  const { accessToken } = (await seenBy(user, server)) as ServerSession;
  expect(accessToken).toMatch(/^[\w-]{20,}$/);
  later(3590);
  const { accessToken: next } = (await seenBy(user, server)) as ServerSession;
  expect(next).not.toBe(accessToken);
  await user.open(server.POST, '/auth/sign-out', own);
  const told = user.told.join('\n');
  for (const token of [accessToken, next, clientSecret, secret]) expect(told).not.toContain(token);
  expect(told).not.toMatch(/eyJ[\w-]+\.eyJ|code_verifier|refresh_token|id_token/);
});

it('sets cookies that scripts, other sites and subdomains do not get at, and no cache keeps', async () => {
  const [server, user] = [start(), startUserAgent()];
  const begun = await user.open(server.GET, '/auth/sign-in');
  const back = await user.open(server.GET, await visit(begun.headers.get('location') ?? ''));
  const set = [...begun.headers.getSetCookie(), ...back.headers.getSetCookie()];
  expect(set.map((cookie) => cookie.replace(/=[^;]*/, ''))).toEqual([
    expect.stringMatching(
      /^__Host-auth-session-sign-in-[\w-]{8}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
    ),
    expect.stringMatching(/^__Host-auth-session-sign-in-[\w-]{8}; Path=\/; Max-Age=0; HttpOnly; SameSite=Lax; Secure$/),
    // What is left of seven days: a second may pass between the answer and its cookie.
    expect.stringMatching(/^__Host-auth-session; Path=\/; Max-Age=604(800|79\d); HttpOnly; SameSite=Lax; Secure$/),
  ]);
  for (const { headers } of [begun, back]) {
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer']);
  }
});

it('uses names without a prefix on http of this machine', async () => {
  const [server, user] = [start(), startUserAgent('http://localhost:8081')];
  const begun = await user.open(server.GET, '/auth/sign-in');
  expect(begun.headers.getSetCookie()).toEqual([expect.stringMatching(/^auth-session-sign-in-.*SameSite=Lax$/)]);
});

it('refuses an answer in another browser than the one that began', async () => {
  const server = start();
  const [mallory, user] = [startUserAgent(), startUserAgent()];
  const begun = await mallory.open(server.GET, '/auth/sign-in');
  const back = await visit(begun.headers.get('location') ?? '');
  const response = await user.open(server.GET, back);
  expect([response.status, user.cookies.size]).toEqual([400, 0]);
  expect(await response.text()).toContain('started in another browser');
});

it('refuses an answer whose state only begins like that of the sign-in, which can still end', async () => {
  const [server, user] = [start(), startUserAgent()];
  const begun = await user.open(server.GET, '/auth/sign-in');
  const back = new URL(await visit(begun.headers.get('location') ?? ''), APP);
  back.searchParams.set('state', `${back.searchParams.get('state')?.slice(0, 8)}${'x'.repeat(35)}`);
  const response = await user.open(server.GET, back.href);
  expect(response.status).toBe(400);
  expect([...user.cookies.keys()]).toEqual([expect.stringContaining('-sign-in-')]);
});

it('accepts an answer once', async () => {
  const [server, user] = [start(), startUserAgent()];
  const begun = await user.open(server.GET, '/auth/sign-in');
  const back = await visit(begun.headers.get('location') ?? '');
  await user.open(server.GET, back);
  const session = user.cookies.get('__Host-auth-session');
  const again = await user.open(server.GET, back);
  expect([again.status, user.cookies.get('__Host-auth-session')]).toEqual([303, session]);
  await user.open(server.POST, '/auth/sign-out', own);
  expect((await user.open(server.GET, back)).status).toBe(400);
});

it('sends whoever is signed in to the app when the provider answers once more, as after the back button', async () => {
  const [server, user] = [start({ errorPath: '/sorry' }), startUserAgent()];
  await user.signIn(server, '?returnTo=/account');
  for (const query of ['?code=a&state=b', '?error=access_denied&state=b', '']) {
    const response = await user.open(server.GET, `/auth/callback${query}`);
    expect([response.status, response.headers.get('location')]).toEqual([303, `${APP}/`]);
  }
  expect(await seenBy(user, server)).toMatchObject({ subject: 'ada' });
});

it('keeps sign-ins of several tabs apart', async () => {
  const [server, user] = [start(), startUserAgent()];
  const first = await user.open(server.GET, '/auth/sign-in?returnTo=/first');
  const second = await user.open(server.GET, '/auth/sign-in?returnTo=/second');
  for (const [begun, path] of [
    [first, '/first'],
    [second, '/second'],
  ] as const) {
    const back = await user.open(server.GET, await visit(begun.headers.get('location') ?? ''));
    expect(back.headers.get('location')).toBe(APP + path);
  }
});

it('keeps four sign-ins at most in a browser, the last ones', async () => {
  const [server, user] = [start(), startUserAgent()];
  const states: string[] = [];
  for (let count = 0; count < 7; count++) {
    const begun = await user.open(server.GET, '/auth/sign-in');
    states.push(new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? '');
  }
  const names = states.slice(-4).map((state) => `__Host-auth-session-sign-in-${state.slice(0, 8)}`);
  expect([...user.cookies.keys()]).toEqual(names);
});

it('leaves the other cookies of the app as they are', async () => {
  const [server, user] = [start(), startUserAgent()];
  for (const name of ['theme', 'basket', '__Host-auth-session', 'auth-session-sign-in-x', 'language']) {
    user.cookies.set(name, 'x');
  }
  const begun = await user.open(server.GET, '/auth/sign-in');
  expect(begun.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-auth-session-sign-in-[\w-]{8}=[\w.-]+;/),
  ]);
});

it('empties the cookies of sign-ins that it removes', async () => {
  const [server, user] = [start(), startUserAgent()];
  for (let count = 0; count < 4; count++) await user.open(server.GET, '/auth/sign-in');
  const [oldest = ''] = user.cookies.keys();
  const begun = await user.open(server.GET, '/auth/sign-in');
  expect(begun.headers.getSetCookie()[1]).toMatch(new RegExp(`^${oldest}=; Path=/; Max-Age=0;`));
  const back = await user.open(server.GET, await visit(begun.headers.get('location') ?? ''));
  expect(back.headers.getSetCookie()[0]).toMatch(/^__Host-auth-session-sign-in-[\w-]{8}=; Path=\/; Max-Age=0;/);
});

it('leads to the page without its query when the browser would refuse so long a cookie', async () => {
  const server = start();
  const long = 'x'.repeat(5000);
  for (const [returnTo, expected] of [
    [`/search?q=${long.slice(0, 2000)}`, `/search?q=${long.slice(0, 2000)}`],
    [`/search?q=${long}#top`, '/search'],
    [`/${long}?q=1`, '/'],
  ] as const) {
    const user = startUserAgent();
    const back = await user.signIn(server, `?${new URLSearchParams({ returnTo })}`);
    expect(back.headers.get('location')).toBe(APP + expected);
  }
});

it('leaves room in the headers of a request when several tabs sign in with long return URLs', async () => {
  const [server, user] = [start(), startUserAgent()];
  const query = '?returnTo=' + encodeURIComponent(`/search?q=${'x'.repeat(2400)}`);
  const begun: string[] = [];
  for (let count = 0; count < 4; count++) {
    const response = await user.open(server.GET, `/auth/sign-in${query}`);
    begun.push(response.headers.get('location') ?? '');
  }
  // Of the 8 KB that nginx accepts by default. The session itself may need a whole cookie.
  const header = user.request('/').headers.get('cookie') ?? '';
  expect([user.cookies.size, header.length < 5500]).toEqual([4, true]);
  const ends = await Promise.all(begun.map(async (url) => user.open(server.GET, await visit(url))));
  const paths = ends.map(({ headers }) => headers.get('location'));
  expect(paths[0]).toBe(`${APP}${decodeURIComponent(query.slice(10))}`);
  expect(paths.slice(1)).toEqual([`${APP}/search`, `${APP}/search`, `${APP}/search`]);
});

it('says that the user has refused, on a page with a way to try again', async () => {
  const [server, user] = [start(), startUserAgent()];
  const response = await user.signIn(server, '?returnTo=/account%3Fa=1%26b=2', 'cancel');
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('href="/auth/sign-in?returnTo=%2Faccount%3Fa%3D1%26b%3D2"');
  expect([...user.cookies.keys()]).toEqual([]);
});

it('leaves whoever is signed in so when another sign-in is cancelled', async () => {
  const [server, user] = [start(), startUserAgent()];
  await user.signIn(server);
  expect((await user.signIn(server, '', 'cancel')).status).toBe(400);
  expect(await seenBy(user, server)).toMatchObject({ subject: 'ada' });
});

it('leads to the page of the app for a failed sign-in, with the code', async () => {
  const [server, user] = [start({ errorPath: '/sorry?from=sign-in' }), startUserAgent()];
  const response = await user.signIn(server, '', 'cancel');
  expect(response.headers.get('location')).toBe(`${APP}/sorry?from=sign-in&error=access_denied`);
});

it('says that the provider cannot be reached', async () => {
  const [server, user] = [start({ issuer: 'http://127.0.0.1:1' }), startUserAgent()];
  const response = await user.open(server.GET, '/auth/sign-in');
  expect(response.status).toBe(502);
  expect(await response.text()).toContain('cannot be reached');
  expect(errors.splice(0)).toMatchObject([{ code: 'no_response' }]);
});

it('refreshes once for all requests with one cookie, and for those that come a moment later', async () => {
  const [server, user] = [start(), startUserAgent()];
  await user.signIn(server);
  const old = new Map(user.cookies);
  const { accessToken } = (await seenBy(user, server)) as ServerSession;
  later(3590);
  const together = (await Promise.all([seenBy(user, server), seenBy(user, server)])) as ServerSession[];
  user.cookies = old;
  // A server of its own, as the bundle of another route has.
  const late = (await seenBy(user, start())) as ServerSession;
  const seen = new Set([...together, late].map((session) => session.accessToken));
  expect(seen.size).toBe(1);
  expect([...seen][0]).not.toBe(accessToken);
  // Had the first refresh token been used twice, the provider would have ended the grant.
  later(3590);
  expect(await seenBy(user, server)).toMatchObject({ subject: 'ada' });
});

it('keeps refreshed tokens by setResponseHeaders, even when the route throws', async () => {
  const set: string[] = [];
  const server = start({
    setResponseHeaders(headers) {
      set.push(...headers['set-cookie']);
      // Whatever the route says: a cache would give the session to others.
      expect(headers['cache-control']).toBe('no-store');
    },
  });
  const user = startUserAgent();
  await user.signIn(server);
  later(3590);
  const route = server.withSession(() => {
    throw new Error('of the route');
  });
  await expect(route(user.request('/me'), {})).rejects.toThrow('of the route');
  expect(set).toEqual([expect.stringMatching(/^__Host-auth-session=/)]);
  await user.take(new Response(null, { headers: { 'set-cookie': set[0] ?? '' } }));
  expect(await seenBy(user, start())).toMatchObject({ subject: 'ada' });
});

it('signs out who is no longer known to the provider', async () => {
  const [server, user] = [start(), startUserAgent()];
  await user.signIn(server);
  const copy = startUserAgent();
  copy.cookies = new Map(user.cookies);
  await user.open(server.POST, '/auth/sign-out', own);
  later(3590);
  expect(await seenBy(copy, server)).toBe(401);
  expect(await server.read(copy.request('/'))).toBeNull();
});

it('keeps a session while the provider is down, without a token that has expired', async () => {
  const other = await startProvider();
  const server = start({ issuer: other.issuer });
  const user = startUserAgent();
  await user.signIn(server);
  await other[Symbol.asyncDispose]();
  later(3590);
  expect(await seenBy(user, server)).toMatchObject({ subject: 'ada', accessToken: expect.any(String) });
  later(3600);
  expect(await seenBy(user, server)).toMatchObject({ subject: 'ada', accessToken: undefined });
  expect(errors.splice(0)).toMatchObject([{ code: 'no_response' }, { code: 'no_response' }]);
});

it('keeps a session without refresh token until it ends, and no longer', async () => {
  const server = start({ scopes: ['openid'], claims: [], sessionSeconds: 7200 });
  const user = startUserAgent();
  await user.signIn(server);
  expect(await seenBy(user, server)).toMatchObject({ claims: {}, accessToken: expect.any(String) });
  later(3601);
  expect(await seenBy(user, server)).toMatchObject({ subject: 'ada', accessToken: undefined });
  later(3600);
  expect(await seenBy(user, server)).toBe(401);
  expect(await server.read(user.request('/'))).toBeNull();
});

it('reads what an older secret has sealed, and seals it with the new one', async () => {
  const user = startUserAgent();
  await user.signIn(start());
  const rotated = start({ secrets: ['another secret of the tests, as long', secret] });
  const before = user.cookies.get('__Host-auth-session');
  expect(await seenBy(user, rotated)).toMatchObject({ subject: 'ada' });
  expect(user.cookies.get('__Host-auth-session')).not.toBe(before);
  expect(await seenBy(user, start({ secrets: ['another secret of the tests, as long'] }))).toMatchObject({
    subject: 'ada',
  });
  expect(await seenBy(user, start())).toBe(401);
});

it('takes no cookie of another purpose, client or secret, and none that was changed', async () => {
  const [server, user] = [start(), startUserAgent()];
  await user.open(server.GET, '/auth/sign-in');
  const [pending = ''] = [...user.cookies.values()];
  await user.signIn(server);
  const session = user.cookies.get('__Host-auth-session') ?? '';
  const middle = session.length >> 1;
  const changed = session.slice(0, middle) + (session[middle] === 'A' ? 'B' : 'A') + session.slice(middle + 1);
  const forged = [
    `1.${pending}`,
    changed,
    session.slice(2),
    `2.${session.slice(2)}`,
    '1.',
    '1.a.b.c.d.e',
    '1.e30....',
    '',
  ];
  for (const value of [...forged, `${session}x`, '9.x', 'null', '1.{}']) {
    const mallory = startUserAgent();
    mallory.cookies.set('__Host-auth-session', value);
    expect([value, await server.read(mallory.request('/'))]).toEqual([value, null]);
  }
  expect(await start({ clientId: 'another' }).read(user.request('/'))).toBeNull();
  expect(await start({ secrets: [secret.toUpperCase()] }).read(user.request('/'))).toBeNull();
  expect(await server.read(user.request('/'))).toMatchObject({ subject: 'ada' });
});

it('signs out here and at the provider', async () => {
  const [server, user] = [start({ signedOutPath: '/bye' }), startUserAgent()];
  await user.signIn(server);
  const response = await user.open(server.POST, '/auth/sign-out', own);
  const location = new URL(response.headers.get('location') ?? '');
  expect([response.status, location.origin, user.cookies.size]).toEqual([303, servers.provider.issuer, 0]);
  expect(Object.fromEntries(location.searchParams)).toEqual({
    client_id: clientId,
    post_logout_redirect_uri: `${APP}/auth/signed-out`,
    state: expect.any(String),
  });
  const back = await visit(location.href, 'sign in', new Map());
  expect(back).toMatch(new RegExp(`^${APP}/auth/signed-out`));
  const ended = await user.open(server.GET, back);
  expect([ended.headers.get('location'), ended.headers.getSetCookie()]).toEqual([`${APP}/bye`, []]);
});

it('sends what else a provider wants to know at sign-out, but nothing in place of its own', async () => {
  const signOutParams = { logout_uri: `${APP}/auth/signed-out`, client_id: 'another' };
  const [server, user] = [start({ signOutParams }), startUserAgent()];
  await user.signIn(server);
  const response = await user.open(server.POST, '/auth/sign-out', own);
  const { searchParams } = new URL(response.headers.get('location') ?? '');
  expect([searchParams.get('logout_uri'), searchParams.getAll('client_id')]).toEqual([
    `${APP}/auth/signed-out`,
    [clientId],
  ]);
});

it('shows the provider the id_token at sign-out only when the app says so', async () => {
  const [server, user] = [start({ idTokenHint: true }), startUserAgent()];
  await user.signIn(server);
  // About 1 KB, which is not kept for nothing.
  const other = startUserAgent();
  await other.signIn(start());
  const sizes = [user, other].map(({ cookies }) => [...cookies.values()].join('').length);
  expect(sizes[0]).toBeGreaterThan((sizes[1] ?? 0) + 500);
  const asked = { ...own, headers: { ...own.headers, accept: 'application/json' } };
  const response = await user.open(server.POST, '/auth/sign-out', asked);
  const { location } = (await response.json()) as { location: string };
  expect([response.status, new URL(location).searchParams.get('id_token_hint')]).toEqual([
    200,
    expect.stringMatching(/^eyJ/),
  ]);
});

it.each([
  ['another site', { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }],
  ['a subdomain', { 'sec-fetch-site': 'same-site', origin: 'https://blog.app.example' }],
  ['another site in an old browser', { origin: 'https://evil.example' }],
  ['nobody', {}],
  ['null', { origin: 'null' }],
  ['a user who types', { 'sec-fetch-site': 'none' }],
])('changes nothing for a request from %s', async (_, headers) => {
  const [server, user] = [start(), startUserAgent()];
  await user.signIn(server);
  const post = { method: 'POST', headers };
  const refused = await user.open(server.POST, '/auth/sign-out', post);
  expect([refused.status, await refused.json()]).toEqual([
    403,
    { error: `Only pages of ${APP} may sign the user out.` },
  ]);
  const run = vi.fn(() => new Response('done'));
  const route = server.withSession(run);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const change = { method, headers };
    const answer = await user.open((request) => route(request, {}), '/note', change);
    expect([answer.status, await answer.json()]).toEqual([403, { error: `Only pages of ${APP} may do this.` }]);
    expect((await server.guard(user.request('/note', change)))?.status).toBe(403);
  }
  expect(run).not.toHaveBeenCalled();
  expect(await seenBy(user, server)).toMatchObject({ subject: 'ada' });
});

it('signs nobody out by GET, and in by POST', async () => {
  const [server, user] = [start(), startUserAgent()];
  await user.signIn(server);
  const out = await user.open(server.GET, '/auth/sign-out', page);
  expect([out.status, out.headers.get('allow'), user.cookies.size]).toEqual([405, 'POST', 1]);
  expect(await out.json()).toEqual({ error: 'Use POST here.' });
  const post = await user.open(server.POST, '/auth/sign-in', own);
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET']);
  expect(await post.json()).toEqual({ error: 'Use GET here.' });
});

it('answers a request for any other path with the paths that exist, and no cookie', async () => {
  const [server, user] = [start(), startUserAgent()];
  const answers = await Promise.all([
    ...['/auth/other', '/auth', '/elsewhere/sign-in', '/book/sign-in'].map((path) => server.GET(user.request(path))),
    ...['/auth/other', '/elsewhere/sign-out', '/book/sign-out'].map((path) => server.POST(user.request(path, own))),
  ]);
  for (const answer of answers) {
    expect([answer.status, answer.headers.getSetCookie(), await answer.json()]).toEqual([
      404,
      [],
      { error: 'The paths here are sign-in, callback, sign-out and signed-out.' },
    ]);
  }
});

it('takes its paths with a slash at their ends, as a host may add one', async () => {
  const [server, user] = [start(), startUserAgent()];
  expect((await server.GET(user.request('/auth/sign-in/'))).headers.get('location')).toContain(servers.provider.issuer);
});

it.each([
  ['an answer', { code: 'c', state: 's', iss: 'https://accounts.example' }],
  [
    'a refusal',
    { error: 'access_denied', error_description: 'no', error_uri: 'https://accounts.example/no', state: 's' },
  ],
  ['a signed answer', { response: 'a.b.c' }],
])('takes %s that the provider posts as if it had come by a link (Form Post Response Mode)', async (_, fields) => {
  const server = start();
  // Personal, and not read: not for a URL.
  const body = new URLSearchParams({ ...fields, user: '{"name":{"firstName":"Ada"}}', id_token: 'x.y.z' });
  const response = await server.POST(new Request(`${APP}/auth/callback`, { method: 'POST', body }));
  const location = new URL(response.headers.get('location') ?? '');
  expect([response.status, location.origin + location.pathname]).toEqual([303, `${APP}/auth/callback`]);
  expect(Object.fromEntries(location.searchParams)).toEqual(fields);
  expect(response.headers.get('cache-control')).toBe('no-store');
});

it('refuses a posted answer that is too long for a URL', async () => {
  const body = new URLSearchParams({ code: 'c'.repeat(20_000), state: 's' });
  const response = await start().POST(new Request(`${APP}/auth/callback`, { method: 'POST', body }));
  expect([response.status, response.headers.get('location')]).toEqual([413, null]);
});

it('refuses a posted answer that contradicts itself', async () => {
  const [server, user] = [start(), startUserAgent()];
  const begun = await user.open(server.GET, '/auth/sign-in');
  const { searchParams } = new URL(await visit(begun.headers.get('location') ?? ''));
  searchParams.append('code', 'another');
  const posted = await server.POST(new Request(`${APP}/auth/callback`, { method: 'POST', body: searchParams }));
  const back = await user.open(server.GET, posted.headers.get('location') ?? '');
  expect(back.status).toBeGreaterThanOrEqual(400);
  expect(await seenBy(user, server)).toBe(401);
});

it.each([
  undefined,
  'application/json',
  'application/x-www-form-urlencoded-not',
  'multipart/form-data; boundary=x',
  'text/plain; not=application/x-www-form-urlencoded',
])('answers 415 to an answer posted as %s', async (type) => {
  const headers = type === undefined ? {} : { 'content-type': type };
  const init = { method: 'POST', headers, body: Buffer.from('code=c&state=s') };
  const response = await start().POST(new Request(`${APP}/auth/callback`, init));
  expect([response.status, await response.json()]).toEqual([
    415,
    { error: 'Post a form here, as a provider does with response_mode=form_post.' },
  ]);
});

it.each(['application/x-www-form-urlencoded', 'Application/X-WWW-Form-Urlencoded ; charset=utf-8'])(
  'takes an answer posted as %s',
  async (type) => {
    const init = { method: 'POST', headers: { 'content-type': type }, body: Buffer.from('code=c&state=s') };
    expect((await start().POST(new Request(`${APP}/auth/callback`, init))).status).toBe(303);
  },
);

it('guards: leads a page to the sign-in and back, and answers all else with 401', async () => {
  const [server, user] = [start(), startUserAgent()];
  const asked = await server.guard(user.request('/account?tab=2', page));
  expect([asked?.status, asked?.headers.get('location')]).toEqual([
    303,
    `${APP}/auth/sign-in?returnTo=%2Faccount%3Ftab%3D2`,
  ]);
  const refused = await server.guard(user.request('/account', { headers: { accept: 'application/json' } }));
  expect([refused?.status, await refused?.json()]).toEqual([
    401,
    { error: 'You are not signed in. Open /auth/sign-in.' },
  ]);
  // appkit-router, which asks in this way, goes there. A loader that fetches a route passes on no such header.
  expect(refused?.headers.get('appkit-redirect')).toBe(`${APP}/auth/sign-in?returnTo=%2Faccount`);
  expect((await server.guard(user.request('/account')))?.headers.has('appkit-redirect')).toBe(false);
  await user.signIn(server);
  expect(await server.guard(user.request('/account', page))).toBeUndefined();
  expect(await server.guard(user.request('/account', own))).toBeUndefined();
});

it('guards none of its own paths, so that a user can sign in where everything is guarded', async () => {
  const [server, user] = [start(), startUserAgent()];
  const guarded = async (request: Request): Promise<Response> => (await server.guard(request)) ?? server.GET(request);
  const begun = await user.open(guarded, '/auth/sign-in?returnTo=/account');
  const back = await user.open(guarded, await visit(begun.headers.get('location') ?? ''));
  expect([back.status, back.headers.get('location')]).toEqual([303, `${APP}/account`]);
  expect(await server.guard(user.request('/auth/sign-out', own))).toBeUndefined();
  const strange = startUserAgent();
  expect((await strange.open(guarded, '/auth/signed-out', page)).headers.get('location')).toBe(`${APP}/`);
  for (const path of ['/auth', '/auth/other', '/other/auth/sign-in', '//auth/sign-in', '/auth/sign-in/x']) {
    expect((await server.guard(strange.request(`${APP}${path}`, page)))?.status, path).toBe(303);
  }
});

it('gives a route its parameters, and leaves its answer as it is, uncached', async () => {
  const [server, user] = [start(), startUserAgent()];
  await user.signIn(server);
  const route = server.withSession<{ id: string }>((_, { subject }, { id }) =>
    Response.redirect(`${APP}/${subject}/${id}`, 307),
  );
  const response = await route(user.request('/books/7'), { id: '7' });
  expect([response.status, response.headers.get('location'), response.headers.get('cache-control')]).toEqual([
    307,
    `${APP}/ada/7`,
    'no-store',
  ]);
});

it.each([
  ['undefined', undefined],
  ['null', null],
  ['a value of type object', { name: 'Ada' }],
  ['a value of type string', 'Ada'],
])('says which route has returned %s, in JavaScript', async (what, value) => {
  const [server, user] = [start(), startUserAgent()];
  await user.signIn(server);
  const route = server.withSession(() => value as never);
  await expect(route(user.request('/orders?of=ada'), {})).rejects.toMatchObject({
    name: 'TypeError',
    code: 'ERR_AUTH_ARGUMENT',
    message: `The route of withSession returned ${what} instead of a Response, at GET /orders. Return new Response(…) or Response.json(…).`,
  });
});

it('returns the answer of a route itself: on Bun, a copy would lose the type and length of a text', async () => {
  const [server, user] = [start(), startUserAgent()];
  await user.signIn(server);
  for (const headers of [{}, { 'cache-control': 'private, max-age=60' }]) {
    const answer = new Response('Hello', { headers });
    const response = await server.withSession(() => answer)(user.request('/hello'), {});
    expect(response).toBe(answer);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(response.headers.get('cache-control')).toBe(new Headers(headers).get('cache-control') ?? 'no-store');
  }
});

it('sets no headers for a session that has not changed', async () => {
  const setResponseHeaders = vi.fn();
  const [server, user] = [start({ setResponseHeaders }), startUserAgent()];
  await user.signIn(server);
  expect(await seenBy(user, server)).toMatchObject({ subject: 'ada' });
  expect(setResponseHeaders).not.toHaveBeenCalled();
});

it('leaves a session alone that another request has refreshed while a route ran', async () => {
  const [server, user] = [start(), startUserAgent()];
  await user.signIn(server);
  const [runs, goesOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const route = server.withSession(async () => {
    runs.resolve();
    await goesOn.promise;
    return new Response();
  });
  const answered = route(user.request('/report'), {});
  await runs.promise;
  later(3590);
  await seenBy(user, server);
  goesOn.resolve();
  expect((await answered).headers.getSetCookie()).toEqual([]);
});

it('gives the cookies of one user to no other when a route keeps its answer', async () => {
  const [ada, eve] = [startUserAgent(), startUserAgent()];
  await ada.signIn(start());
  await eve.signIn(start());
  const done = new Response(null, { status: 204 });
  const route = start({ secrets: ['another secret of the tests, as long', secret] }).withSession(() => done);
  const told = [await route(ada.request('/done'), {}), await route(eve.request('/done'), {})];
  expect(told.map(({ headers }) => headers.getSetCookie().length)).toEqual([1, 1]);
  expect(done.headers.getSetCookie()).toEqual([]);
});

it.each([
  ['no issuer', { issuer: '' }, /issuer/],
  ['no client id', { clientId: '' }, /clientId/],
  ['no secret', { secrets: [] }, /secrets/],
  ['a secret that is not set', { secrets: [undefined as unknown as string] }, /openssl rand/],
  ['a short secret', { secrets: [secret, 'short'] }, /32 characters/],
  ['scopes without openid', { scopes: ['email'] }, /openid/],
  ['an origin that is none', { origin: 'app.example' }, /https:\/\/app\.example/],
  ['a base path that is none', { basePath: 'auth/' }, /\/auth/],
  ['a cookie name that cannot be', { cookieName: 'a=b' }, /cookieName/],
  // Over http, browsers keep no cookie of that name, so no sign-in would end.
  ['a cookie name with a prefix', { cookieName: '__Host-session' }, /cookieName .* without a prefix/],
  ['a session that never ends', { sessionSeconds: Infinity }, /sessionSeconds/],
])('says what is wrong with %s', async (_, options, message) => {
  const call = start(options).GET(new Request(`${APP}/auth/sign-in`));
  await expect(call).rejects.toMatchObject({ name: 'TypeError', code: 'ERR_AUTH_ARGUMENT' });
  await expect(start(options).guard(new Request(APP))).rejects.toThrow(message);
});

it('is not served over http of another machine, unless that is allowed or the origin is known', async () => {
  const request = new Request('http://app.example/auth/sign-in');
  await expect(start().GET(request)).rejects.toThrow(/Behind a proxy that terminates TLS, give the option origin/);
  for (const options of [{ origin: `${APP}/` }, { allowInsecureRequests: true }]) {
    expect((await start(options).GET(request)).status).toBe(303);
  }
});

it('reads its options when a request comes', async () => {
  let asked = 0;
  const server = createSessionServer(() => {
    asked++;
    return { issuer: servers.provider.issuer, clientId, clientSecret, secrets: [secret] };
  });
  expect(asked).toBe(0);
  await server.read(new Request(APP));
  expect(asked).toBe(1);
});

/** What requests of this process share about refreshes. */
function sharedRefreshes(): object[] {
  const shared = globalThis as unknown as Record<symbol, { refreshes: Map<string, object> } | undefined>;
  return [...(shared[Symbol.for('appkit.auth.refreshes')]?.refreshes.values() ?? [])];
}

/** Signs a user in whose access token is about to expire, and lets nothing of the first refresh come back. */
async function stuckRefresh(options: Partial<SessionServerOptions> = {}) {
  Reflect.get(globalThis, Symbol.for('appkit.auth.refreshes'))?.refreshes.clear();
  const [server, user] = [start(options), startUserAgent()];
  await user.signIn(server);
  const route = server.withSession((_, { accessToken }) => Response.json({ accessToken }));
  const ask = async (): Promise<unknown> => (await route(user.request('/me'), {})).json();
  const before = await ask();
  const toFake: NonNullable<Parameters<typeof vi.useFakeTimers>[0]>['toFake'] = ['Date', 'setTimeout', 'clearTimeout'];
  vi.useFakeTimers({ toFake: [...toFake, 'setInterval', 'clearInterval'], now: Date.now() + 3590_000 });
  const { fetch } = globalThis;
  let letGo = (): void => {};
  const asked = new Promise<void>((resolve) => {
    vi.stubGlobal('fetch', async (request: Request) => {
      if (!request.url.endsWith('/token')) return fetch(request);
      vi.stubGlobal('fetch', fetch);
      const gone = new Promise<void>((go) => (letGo = go));
      resolve();
      await gone;
      return fetch(request);
    });
  });
  const first = ask();
  await asked;
  return { ask, before, first, letGo: () => letGo() };
}

it('shares the outcome of a refresh with other requests, and no promise, which workerd ends with the request', async () => {
  const { ask, before, first, letGo } = await stuckRefresh();
  const second = ask();
  const shared = sharedRefreshes().flatMap((refresh) => Object.values(refresh));
  expect(shared.filter((value) => value instanceof Promise)).toEqual([]);
  letGo();
  const next = await first;
  // The next look of the one that waits.
  while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(100);
  expect(await second).toEqual(next);
  expect(next).not.toEqual(before);
});

it('refreshes itself when the request that began to is gone', async () => {
  const { ask, before } = await stuckRefresh();
  // workerd ends them with the request.
  vi.clearAllTimers();
  const second = ask();
  while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(11_000);
  const next = await second;
  expect(next).toEqual({ accessToken: expect.any(String) });
  expect(next).not.toEqual(before);
});

it('waits for a provider that takes its time, and does not send the refresh token a second time', async () => {
  const { ask, first, letGo } = await stuckRefresh();
  let isOver = false;
  const second = ask().finally(() => (isOver = true));
  const timers = vi.getTimerCount();
  while (vi.getTimerCount() === timers) await new Promise((resolve) => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(25_000);
  expect(isOver).toBe(false);
  letGo();
  const next = await first;
  await vi.advanceTimersByTimeAsync(100);
  expect(await second).toEqual(next);
});

it('lets a refresh go on by runTask when the client leaves', async () => {
  const tasks: Promise<unknown>[] = [];
  const runTask: SessionServerOptions['runTask'] = (task) => void tasks.push(Promise.resolve(task()));
  const { first, letGo } = await stuckRefresh({ runTask });
  expect(tasks).toHaveLength(1);
  letGo();
  await Promise.all(tasks);
  // The task has ended with the refresh, not before.
  expect(sharedRefreshes()).toContainEqual(expect.objectContaining({ outcome: expect.anything() }));
  await first;
});
