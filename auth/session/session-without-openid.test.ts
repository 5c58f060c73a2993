import { expect, it } from 'vitest';
import { json, startAnsweringServer, text } from './fixtures/answering-server.ts';
import type { AnsweringServer } from './fixtures/answering-server.ts';
import { APP, startUserAgent } from './fixtures/user-agent.ts';
import type { UserAgent } from './fixtures/user-agent.ts';
import { createSessionServer } from './server.ts';
import type { ProviderUser, ServerSession, SessionServer, OAuthSessionServerOptions } from './server.ts';

const errors: unknown[] = [];

function start({ origin }: AnsweringServer, options: Partial<OAuthSessionServerOptions> = {}): SessionServer {
  return createSessionServer({
    discovery: { authorizationEndpoint: `${origin}/authorize`, tokenEndpoint: `${origin}/token` },
    clientId: 'client',
    clientSecret: 'secret',
    secrets: ['a secret of the tests, long enough'],
    scopes: ['read:user'],
    async readUser(accessToken) {
      const response = await fetch(`${origin}/user`, { headers: { authorization: `Bearer ${accessToken}` } });
      if (!response.ok) throw new Error(`The API answered ${response.status}`);
      const { id, login } = (await response.json()) as { id: number; login: string };
      return { subject: String(id), claims: { login } };
    },
    onError: (error) => errors.push(error),
    ...options,
  });
}

/** Answers as a provider that knows OAuth 2.0 alone, whose tokens never expire. */
function answerAs(provider: AnsweringServer, answers: { token?: object; user?: object } = {}): void {
  const { token = { access_token: 'token-1', token_type: 'bearer', scope: 'read:user' } } = answers;
  const { user = { id: 7, login: 'ada' } } = answers;
  provider.answer = (request, response) => {
    if (request.url === '/token') return json(200, token)(request, response);
    const isUser = request.url === '/user' && request.headers.authorization === 'Bearer token-1';
    return isUser ? json(200, user)(request, response) : text(401, 'text/plain', 'no')(request, response);
  };
}

async function signIn(user: UserAgent, server: SessionServer, query = ''): Promise<Response> {
  const begun = await user.open(server.GET, `/auth/sign-in${query}`);
  const asked = new URL(begun.headers.get('location') ?? '').searchParams;
  expect([asked.get('scope'), asked.get('code_challenge_method'), asked.has('nonce')]).toEqual([
    'read:user',
    'S256',
    false,
  ]);
  return user.open(server.GET, `/auth/callback?code=c&state=${asked.get('state')}`);
}

it('signs in at a provider without OpenID Connect, whose API names the user', async () => {
  await using provider = await startAnsweringServer();
  answerAs(provider);
  const [server, user] = [start(provider), startUserAgent()];
  const back = await signIn(user, server, '?returnTo=/account');
  expect([back.status, back.headers.get('location')]).toEqual([303, `${APP}/account`]);
  const seen: ServerSession[] = [];
  const route = server.withSession((_, session) => {
    seen.push(session);
    return new Response();
  });
  await user.open((request) => route(request, {}), '/me');
  expect(seen).toMatchObject([
    { subject: '7', claims: { login: 'ada' }, accessToken: 'token-1', scopes: ['read:user'] },
  ]);
  const own = { method: 'POST', headers: { 'sec-fetch-site': 'same-origin' } };
  const out = await user.open(server.POST, '/auth/sign-out', own);
  expect([out.headers.get('location'), user.cookies.size]).toEqual([`${APP}/`, 0]);
});

it.each<[string, Parameters<typeof answerAs>[1], Partial<OAuthSessionServerOptions>, RegExp]>([
  // As GitHub answers: with 200.
  ['the code is refused', { token: { error: 'bad_verification_code' } }, {}, /bad_verification_code/],
  ['the API refuses the token', { token: { access_token: 'other', token_type: 'bearer' } }, {}, /The API answered 401/],
  ['the user has no id', {}, { readUser: async () => ({ subject: '' }) }, /no subject/],
  ['nothing is returned', {}, { readUser: async () => undefined as unknown as ProviderUser }, /no subject/],
  ['nothing is returned at once', {}, { readUser: (() => undefined) as never }, /no subject/],
  [
    'readUser throws at once',
    {},
    {
      readUser: () => {
        throw new Error('The API is gone');
      },
    },
    /The API is gone/,
  ],
  ['claims are a text', {}, { readUser: async () => ({ subject: '7', claims: 'x' as never }) }, /not an object/],
  ['claims are null', {}, { readUser: async () => ({ subject: '7', claims: null as never }) }, /not an object/],
  ['claims are a list', {}, { readUser: async () => ({ subject: '7', claims: [] as never }) }, /not an object/],
  ['the API does not answer', {}, { readUser: () => new Promise(() => {}), timeoutMs: 20 }, /TimeoutError/],
  ['the id is a number', {}, { readUser: async () => ({ subject: 7 as unknown as string }) }, /as a string/],
])('signs nobody in when %s, and tells why', async (_, answers, options, reason) => {
  await using provider = await startAnsweringServer();
  answerAs(provider, answers);
  const [server, user] = [start(provider, options), startUserAgent()];
  const back = await signIn(user, server);
  expect(back.status).toBeGreaterThanOrEqual(400);
  expect([await server.read(user.request('/')), errors.splice(0).map(String)]).toEqual([
    null,
    [expect.stringMatching(reason)],
  ]);
});

it('signs in a user whom readUser returns without a promise, in JavaScript', async () => {
  await using provider = await startAnsweringServer();
  answerAs(provider);
  const readUser = (): ProviderUser => ({ subject: '7', claims: { login: 'ada' } });
  const [server, user] = [start(provider, { readUser: readUser as never }), startUserAgent()];
  expect((await signIn(user, server)).status).toBe(303);
  expect(await server.read(user.request('/'))).toMatchObject({ subject: '7', claims: { login: 'ada' } });
});

it('knows the scopes that GitHub separates by commas', async () => {
  await using provider = await startAnsweringServer();
  answerAs(provider, { token: { access_token: 'token-1', token_type: 'bearer', scope: 'read:user,user:email' } });
  const user = startUserAgent();
  await signIn(user, start(provider));
  expect(await start(provider).read(user.request('/'))).toMatchObject({ scopes: ['read:user', 'user:email'] });
});

it('gives the mistake of an app that names no user a code', async () => {
  await using provider = await startAnsweringServer();
  answerAs(provider);
  await signIn(startUserAgent(), start(provider, { readUser: async () => ({ subject: '' }) }));
  expect(errors.splice(0)).toMatchObject([{ name: 'TypeError', code: 'ERR_AUTH_ARGUMENT' }]);
});

it('does not accept the session of another provider with the same secret and client id', async () => {
  await using provider = await startAnsweringServer();
  await using other = await startAnsweringServer();
  answerAs(provider);
  const user = startUserAgent();
  await signIn(user, start(provider, { issuer: '' as never }));
  expect(await start(provider).read(user.request('/'))).toMatchObject({ subject: '7' });
  for (const issuer of [undefined, ''])
    expect(await start(other, { issuer: issuer as never }).read(user.request('/'))).toBeNull();
});

it.each<[string, Partial<OAuthSessionServerOptions>, RegExp]>([
  ['nothing to name the user', { readUser: undefined as never }, /readUser/],
  ['an issuer, too', { issuer: 'https://accounts.example' as never }, /Remove them, or issuer/],
  [
    'no token endpoint',
    { discovery: { authorizationEndpoint: 'https://a.example', tokenEndpoint: '' } },
    /tokenEndpoint/,
  ],
  ['no authorization endpoint', { discovery: { tokenEndpoint: 'https://a.example' } }, /authorizationEndpoint/],
])('says what is wrong with %s', async (_, options, message) => {
  const server = start({ origin: 'https://a.example' } as AnsweringServer, options);
  await expect(server.GET(new Request(`${APP}/auth/sign-in`))).rejects.toThrow(message);
});
