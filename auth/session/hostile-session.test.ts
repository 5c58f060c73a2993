import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { answerCases } from './fixtures/hostile/answers.ts';
import type { HostileCase } from './fixtures/hostile/case.ts';
import { idTokenCases } from './fixtures/hostile/id-tokens.ts';
import { startHostileProvider } from './fixtures/hostile/provider.ts';
import type { HostileProvider, Lies } from './fixtures/hostile/provider.ts';
import { tokenCases } from './fixtures/hostile/tokens.ts';
import { startUserAgent } from './fixtures/user-agent.ts';
import type { UserAgent } from './fixtures/user-agent.ts';
import { createSessionServer } from './server.ts';
import type { SessionServer } from './server.ts';

let provider: HostileProvider;
const errors: unknown[] = [];

beforeAll(async () => {
  provider = await startHostileProvider();
});

afterEach(() => void errors.splice(0));

afterAll(() => provider[Symbol.asyncDispose]());

function start(maxAge?: string): SessionServer {
  return createSessionServer({
    issuer: provider.issuer,
    clientId: 'client',
    secrets: ['a secret of the tests, long enough'],
    claims: ['email'],
    onError: (error) => errors.push(error),
    ...(maxAge === undefined ? {} : { extraParams: { max_age: maxAge } }),
  });
}

async function signIn(server: SessionServer): Promise<{ response: Response; user: UserAgent }> {
  const user = startUserAgent();
  const begun = await user.open(server.GET, '/auth/sign-in');
  const asked = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
  const back = asked.headers.get('location') ?? '';
  return { response: await user.open(server.GET, back), user };
}

it('signs in at a provider that is honest', async () => {
  provider.begin({});
  const server = start();
  const { response, user } = await signIn(server);
  expect([response.status, response.headers.get('location')]).toEqual([303, 'https://app.example/']);
  expect(await server.read(user.request('/'))).toMatchObject({
    subject: 'ada',
    claims: { email: 'ada@example.test' },
    accessToken: 'the-access-token',
  });
});

// Those that a server's sign-in meets: by a code, with a known issuer.
const cases: [string, string, HostileCase][] = [...answerCases, ...idTokenCases, ...tokenCases]
  .filter(({ code, setting }) => code !== '' && setting.flow === 'code')
  .filter(({ setting }) => !setting.isHandwritten && !setting.written && !setting.accepts && !setting.config)
  .map((row) => [row.lie, row.section, row]);

it.each(cases)('makes no session from %s (%s)', async (_lie, _section, { lies }) => {
  provider.begin(lies);
  const { response, user } = await signIn(start());
  expect([...user.cookies.keys()].filter((name) => !name.includes('sign-in'))).toEqual([]);
  expect([response.status >= 400, response.headers.get('location')]).toEqual([true, null]);
  expect(user.told.join()).not.toContain('the-access-token');
});

it('meets a hundred lies', () => {
  expect(cases.length).toBeGreaterThan(100);
});

it.each<[lie: string, lies: Lies]>([
  ['user information of another user', { reply: { me: (honest) => ({ ...honest, body: { sub: 'mallory' } }) } }],
  ['user information that fails', { reply: { me: (honest) => ({ ...honest, status: 500 }) } }],
])('makes no session from %s', async (_, lies) => {
  provider.begin(lies);
  const { response, user } = await signIn(start());
  expect([response.status, user.cookies.size, errors.length]).toEqual([502, 0, 1]);
});

it.each([
  ['an access token for another API', 401, { error: { code: 'InvalidAuthenticationToken' } }],
  ['an access token that it does not accept', 401, { error: 'invalid_token' }],
  ['too few scopes', 403, { error: 'insufficient_scope' }],
])('signs in, without the missing claims, when the user information is refused for %s', async (_, status, body) => {
  provider.begin({ reply: { me: () => ({ status, headers: {}, body }) } });
  const server = start();
  const { response, user } = await signIn(server);
  expect([response.status, response.headers.get('location')]).toEqual([303, 'https://app.example/']);
  expect(await server.read(user.request('/'))).toMatchObject({ subject: 'ada', claims: {} });
  expect(errors).toEqual([expect.objectContaining({ name: 'ResponseError' })]);
});

it.each([
  ['another user', 200, { sub: 'eve' }],
  ['nothing', 503, ''],
])('makes no session when the user information is %s', async (_, status, body) => {
  provider.begin({ reply: { me: () => ({ status, headers: {}, body }) } });
  const { response, user } = await signIn(start());
  expect([response.status, user.cookies.size]).toEqual([502, 0]);
});

it('makes no session of a sign-in that was longer ago than max_age', async () => {
  provider.begin({ claims: (honest) => ({ ...honest, auth_time: Math.floor(Date.now() / 1000) - 3600 }) });
  const { response, user } = await signIn(start('60'));
  expect([response.status, user.cookies.size]).toEqual([502, 0]);
});

it('ends a session whose refresh is answered for another user, and keeps those tokens from everybody', async () => {
  provider.begin({ tokens: (honest) => ({ ...honest, expires_in: 0 }) });
  const server = start();
  const { user } = await signIn(server);
  provider.begin({ claims: (honest) => ({ ...honest, sub: 'mallory' }) });
  const route = server.withSession((_, { subject }) => new Response(subject));
  const response = await user.open((request) => route(request, {}), '/me');
  expect([response.status, await server.read(user.request('/'))]).toEqual([401, null]);
  expect(errors).toEqual([expect.objectContaining({ code: 'invalid_id_token' })]);
});

it('ends such a session at once, although its own access token can still be used', async () => {
  provider.begin({ tokens: (honest) => ({ ...honest, expires_in: 30, refresh_token: 'of ada' }) });
  const server = start();
  const { user } = await signIn(server);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20_000 });
  provider.begin({ claims: (honest) => ({ ...honest, sub: 'mallory' }) });
  const route = server.withSession((_, { subject }) => new Response(subject));
  const response = await user.open((request) => route(request, {}), '/me').finally(() => vi.useRealTimers());
  expect([response.status, await server.read(user.request('/'))]).toEqual([401, null]);
  expect(errors).toEqual([expect.objectContaining({ code: 'invalid_id_token' })]);
});

it.each([
  ['fast', 600],
  ['fast', 12 * 3600],
  ['slow', -4000],
  ['slow', -12 * 3600],
])('keeps a session when it refreshes at a provider whose clock is %s (%i s)', async (_, seconds) => {
  // Of its own, so that no other test finds its refresh.
  provider.begin({ tokens: (honest) => ({ ...honest, expires_in: 0, refresh_token: `clock of ${seconds}` }) });
  const server = start();
  const { user } = await signIn(server);
  const move = (claim: unknown): number => Number(claim) + seconds;
  provider.begin({
    claims: (honest) => ({
      ...honest,
      iat: move(honest['iat']),
      exp: move(honest['exp']),
      auth_time: move(honest['iat']),
    }),
    tokens: (honest) => ({ ...honest, access_token: 'next' }),
  });
  const route = server.withSession((__, { accessToken }) => Response.json(accessToken));
  const response = await user.open((request) => route(request, {}), '/me');
  expect([response.status, await response.json(), errors]).toEqual([200, 'next', []]);
});

it.each([
  ['fast', 24 * 3600 + 60],
  ['slow', -26 * 3600],
])('ends a session when it refreshes at a provider whose clock is %s by more than a day (%i s)', async (_, seconds) => {
  provider.begin({ tokens: (honest) => ({ ...honest, expires_in: 0, refresh_token: `clock of ${seconds}` }) });
  const server = start();
  const { user } = await signIn(server);
  const move = (claim: unknown): number => Number(claim) + seconds;
  provider.begin({ claims: (honest) => ({ ...honest, iat: move(honest['iat']), exp: move(honest['exp']) }) });
  const route = server.withSession(() => new Response());
  const response = await user.open((request) => route(request, {}), '/me');
  expect([response.status, errors]).toEqual([401, [expect.objectContaining({ code: 'invalid_id_token' })]]);
});

it.each(['invalid_grant', 'bad_refresh_token', 'interaction_required', 'login_required', 'consent_required'])(
  'sends a user to sign in whose refresh is answered with %s',
  async (error) => {
    provider.begin({ tokens: (honest) => ({ ...honest, expires_in: 0 }) });
    const server = start();
    const { user } = await signIn(server);
    provider.begin({ tokens: () => ({ error }) });
    const route = server.withSession(() => new Response());
    const page = { headers: { 'sec-fetch-mode': 'navigate' } };
    const response = await user.open((request) => route(request, {}), '/me', page);
    expect([response.status, await server.read(user.request('/'))]).toEqual([303, null]);
    expect(response.headers.get('location')).toContain('/auth/sign-in');
  },
);

it.each([
  ['sends a user to sign in', 400, { errors: [{ resource: 'RefreshToken', code: 'invalid' }] }, [303, false, 0]],
  ['keeps a user signed in', 400, { errors: [{ resource: 'Application', code: 'invalid' }] }, [200, true, 1]],
  ['keeps a user signed in', 400, { message: 'Bad Request' }, [200, true, 1]],
  ['keeps a user signed in', 400, '', [200, true, 1]],
  ['keeps a user signed in', 400, '<p>Bad request', [200, true, 1]],
  ['keeps a user signed in', 401, '', [200, true, 1]],
  ['keeps a user signed in', 429, '', [200, true, 1]],
])('%s whose refresh is answered with the status %i and %o', async (_, status, body, expected) => {
  provider.begin({ tokens: (honest) => ({ ...honest, expires_in: 0 }) });
  const server = start();
  const { user } = await signIn(server);
  provider.begin({ reply: { token: () => ({ status, headers: {}, body }) } });
  const route = server.withSession(() => new Response());
  const page = { headers: { 'sec-fetch-mode': 'navigate' } };
  const response = await user.open((request) => route(request, {}), '/me', page);
  const isSignedIn = (await server.read(user.request('/'))) !== null;
  expect([response.status, isSignedIn, errors.length]).toEqual(expected);
});

it('keeps a second sign-in for which the provider returns the tokens of the first', async () => {
  provider.begin({ tokens: (honest) => ({ ...honest, expires_in: 0, refresh_token: 'the same' }) });
  const server = start();
  const { user } = await signIn(server);
  const begun = await user.open(server.GET, '/auth/sign-in');
  const asked = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
  await user.open(server.GET, asked.headers.get('location') ?? '');
  const route = server.withSession((_, { subject }) => new Response(subject));
  const response = await user.open((request) => route(request, {}), '/me');
  expect([response.status, user.cookies.size]).toEqual([200, 1]);
});

it('refreshes again within a minute where tokens live for less and the refresh token stays the same', async () => {
  let count = 0;
  provider.begin({ tokens: (honest) => ({ ...honest, access_token: `token-${count++}`, expires_in: 20 }) });
  const server = start();
  const { user } = await signIn(server);
  const route = server.withSession((_, { accessToken }) => Response.json({ accessToken }));
  const seen: unknown[] = [];
  for (let seconds = 0; seconds < 60; seconds += 15) {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 15_000 });
    seen.push(await (await user.open((request) => route(request, {}), '/me')).json());
  }
  vi.useRealTimers();
  expect(seen).toEqual([1, 2, 3, 4].map((number) => ({ accessToken: `token-${number}` })));
});
