import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startHostileProvider } from './fixtures/hostile/provider.ts';
import type { HostileProvider, Lies } from './fixtures/hostile/provider.ts';
import { startUserAgent } from './fixtures/user-agent.ts';
import type { UserAgent } from './fixtures/user-agent.ts';
import { createSessionServer } from './server.ts';
import type { ServerSession, SessionServer, SessionServerOptions } from './server.ts';

let provider: HostileProvider;
const errors: unknown[] = [];

beforeAll(async () => {
  provider = await startHostileProvider();
});

beforeEach(() => {
  errors.splice(0);
  // Its document is kept for an hour.
  const shared = globalThis as unknown as Record<symbol, Map<string, unknown> | undefined>;
  shared[Symbol.for('appkit.auth.discovery')]?.clear();
});

afterAll(() => provider[Symbol.asyncDispose]());

function start(options: Partial<SessionServerOptions> = {}): SessionServer {
  const secrets = ['a secret of the tests, long enough'];
  const onError = (error: unknown): void => void errors.push(error);
  return createSessionServer({ issuer: provider.issuer, clientId: 'client', secrets, onError, ...options });
}

/** Signs a user in at a provider that lies. */
async function signIn(
  lies: Lies,
  options?: Partial<SessionServerOptions>,
): Promise<{ response: Response; session: ServerSession | null; user: UserAgent }> {
  provider.begin(lies);
  const [server, user] = [start(options), startUserAgent()];
  const begun = await user.open(server.GET, '/auth/sign-in');
  const asked = await fetch(begun.headers.get('location') ?? '', { redirect: 'manual' });
  const response = await user.open(server.GET, asked.headers.get('location') ?? '');
  return { response, session: await server.read(user.request('/')), user };
}

it.each(['https://evil.example/', '//evil.example', 'account', ''])(
  'begins no sign-in that would lead to %j (RFC 9700 section 4.11)',
  async (returnTo) => {
    provider.begin({});
    const user = startUserAgent();
    const response = await user.open(start().GET, `/auth/sign-in?${new URLSearchParams({ returnTo })}`);
    expect([response.status, await response.json()]).toEqual([
      400,
      { error: 'returnTo is not a path of this app, such as /account.' },
    ]);
    expect([user.cookies.size, provider.asked]).toEqual([0, []]);
  },
);

it('does not ask the provider for claims that are in the id_token', async () => {
  const lies: Lies = { claims: (honest) => ({ ...honest, email: 'ada@elsewhere.test', name: 'Ada' }) };
  const { session } = await signIn(lies, { claims: ['email', 'name'] });
  expect(session?.claims).toStrictEqual({ email: 'ada@elsewhere.test', name: 'Ada' });
  expect(provider.asked).not.toContain('/me');
});

it('asks the provider for claims that are missing, and prefers those of the id_token', async () => {
  const lies: Lies = {
    claims: (honest) => ({ ...honest, name: 'Ada' }),
    reply: { me: (honest) => ({ ...honest, body: { sub: 'ada', email: 'ada@example.test', name: 'Lady Ada' } }) },
  };
  const { session } = await signIn(lies, { claims: ['email', 'name', 'picture'] });
  expect(session?.claims).toStrictEqual({ email: 'ada@example.test', name: 'Ada' });
  expect(provider.asked).toContain('/me');
});

it('signs in without the missing claims at a provider that has no user information', async () => {
  const { response, session } = await signIn({ metadata: (honest) => ({ ...honest, userinfo_endpoint: undefined }) });
  expect([response.status, session?.subject, session?.claims, errors]).toEqual([303, 'ada', {}, []]);
});

it.each([
  [401, ''],
  [403, ''],
  [400, { error: 'invalid_token' }],
  [400, { error: 'insufficient_scope' }],
])(
  'signs in without the missing claims when %i %j refuses the access token (RFC 6750 section 3.1)',
  async (status, body) => {
    const { response, session } = await signIn({ reply: { me: () => ({ status, headers: {}, body }) } });
    expect([response.status, session?.subject, session?.claims]).toEqual([303, 'ada', {}]);
    expect(errors).toEqual([expect.objectContaining({ name: 'ResponseError' })]);
  },
);

it.each([
  [400, ''],
  [401, { error: 'invalid_response' }],
  [400, { error: 'invalid_request' }],
  [500, { error: 'server_error' }],
])('makes no session when %i %j fails otherwise', async (status, body) => {
  const { response, session } = await signIn({ reply: { me: () => ({ status, headers: {}, body }) } });
  expect([response.status, session, errors.length]).toEqual([502, null, 1]);
});

it('sends the access token to no endpoint that is not secure', async () => {
  const lies: Lies = { metadata: (honest) => ({ ...honest, userinfo_endpoint: 'http://provider.example/me' }) };
  const { response, session } = await signIn(lies);
  expect([response.status, session]).toEqual([500, null]);
  expect(errors).toEqual([expect.objectContaining({ code: 'ERR_AUTH_ENDPOINT' })]);
});

it('makes no session from an id_token of another tenant than the answer (RFC 9207 section 2.4)', async () => {
  const lies = (tenant: string): Lies => ({
    metadata: (honest) => ({ ...honest, issuer: `${provider.issuer}/{tenantid}` }),
    answer: (honest) => ({ ...honest, iss: `${provider.issuer}/7` }),
    claims: (honest) => ({ ...honest, iss: `${provider.issuer}/${tenant}`, tid: tenant }),
  });
  const options = { acceptIssuer: () => true, claims: [] };
  expect((await signIn(lies('7'), options)).session).toMatchObject({ subject: 'ada' });
  const { response, session } = await signIn(lies('8'), options);
  expect([response.status, session]).toEqual([502, null]);
  expect(errors).toEqual([expect.objectContaining({ code: 'invalid_id_token' })]);
});

it.each([
  ['that the provider names', 'openid', ['openid']],
  ['that were asked for, of which the provider says nothing (RFC 6749 section 5.1)', undefined, ['openid', 'email']],
])('gives a route the scopes %s', async (_, scope, scopes) => {
  const lies: Lies = { tokens: (honest) => ({ ...honest, scope }) };
  const { session } = await signIn(lies, { scopes: ['openid', 'email'], claims: [] });
  expect(session?.scopes).toEqual(scopes);
});

it('says to try again when the provider no longer knows the code', async () => {
  const { response, session } = await signIn({ tokens: () => ({ error: 'invalid_grant' }) });
  expect([response.status, session]).toEqual([400, null]);
  expect(await response.text()).toContain('took too long');
});

it('refuses an answer without a state, which belongs to no sign-in', async () => {
  provider.begin({});
  const [server, user] = [start(), startUserAgent()];
  await user.open(server.GET, '/auth/sign-in');
  for (const query of ['', '?code=c', '?code=c&state=', '?error=access_denied']) {
    expect((await user.open(server.GET, `/auth/callback${query}`)).status).toBe(400);
  }
  expect([user.cookies.size, provider.asked.includes('/token')]).toEqual([1, false]);
});
