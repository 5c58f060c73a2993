import { expect, it, onTestFinished, vi } from 'vitest';
import { json, startAnsweringServer } from './fixtures/answering-server.ts';
import { APP, startUserAgent } from './fixtures/user-agent.ts';
import type { UserAgent } from './fixtures/user-agent.ts';
import { createSessionServer } from './server.ts';
import type { SessionServer, SessionServerOptions } from './server.ts';

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const named = (firstName: unknown, lastName?: unknown): string => JSON.stringify({ name: { firstName, lastName } });

/** A user who has gone to a provider, which answers as Apple does. */
interface Visitor {
  server: SessionServer;
  user: UserAgent;
  state: string;
  /** Posts the provider's form, without the cookies of the app. Returns where the browser is sent. */
  post(fields: Record<string, string>): Promise<URL>;
  /** Ends the sign-in. Returns the claims of the session. */
  end(url: URL): Promise<object | undefined>;
}

async function begin(
  { issued = {}, ...options }: Partial<SessionServerOptions> & { issued?: object },
  run: (visitor: Visitor) => Promise<void>,
): Promise<void> {
  await using provider = await startAnsweringServer();
  const { origin: issuer } = provider;
  let nonce: string | null = null;
  provider.answer = (request, response) => {
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: 'client', sub: 'ada', iat: now, exp: now + 600, nonce, ...issued };
    const token = `${base64({ alg: 'RS256' })}.${base64(claims)}.c2ln`;
    const metadata = { issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` };
    const isToken = request.url === '/token';
    json(200, isToken ? { access_token: 'a', token_type: 'Bearer', id_token: token } : metadata)(request, response);
  };
  const secrets = ['a secret of the tests, long enough'];
  const server = createSessionServer({ issuer, clientId: 'client', secrets, postedName: true, ...options });
  const user = startUserAgent();
  const begun = await user.open(server.GET, '/auth/sign-in');
  const asked = new URL(begun.headers.get('location') ?? '').searchParams;
  nonce = asked.get('nonce');
  const state = asked.get('state') ?? '';
  await run({
    server,
    user,
    state,
    async post(fields) {
      const body = new URLSearchParams({ code: 'c', state, ...fields });
      const posted = await server.POST(new Request(`${APP}/auth/callback`, { method: 'POST', body }));
      return new URL(posted.headers.get('location') ?? '');
    },
    async end(url) {
      await user.open(server.GET, url.href);
      return (await server.read(user.request('/')))?.claims;
    },
  });
}

it.each([
  ['Ada Lovelace', named('Ada', 'Lovelace')],
  ['Ada', named('  Ada  ', '')],
  ['Lovelace', named(undefined, 'Lovelace')],
  ['é'.repeat(200), named('é'.repeat(200))],
  // Characters that nobody sees, some of which turn the text after them round. Persian names need U+200C.
  ['Ada Lovelace', named('\n\u202eA\0da\u200f \u2066', 'Love\u2028\u007flace\u061c')],
  ['امیر\u200cعلی', named('امیر\u200cعلی')],
])('is the claim name, and is nowhere readable on its way: %s', async (name, posted) => {
  await begin({}, async ({ post, end }) => {
    const url = await post({ user: posted });
    expect(url.href).not.toContain('Ada');
    expect(await end(url)).toEqual({ name });
  });
});

it.each([
  ['no text', named(7, null)],
  ['empty', named('', ' ')],
  ['of control characters', named('\u202e\0', ' \u0085 ')],
  ['too long', named('x'.repeat(201))],
  ['missing', '{"email":"eve@example.test"}'],
  ['not in an object', '{"name":"Ada"}'],
  ['null', '{"name":null}'],
  ['not JSON', 'Ada'],
])('is none if it is %s', async (_, user) => {
  await begin({}, async ({ post, end }) => {
    const url = await post({ user });
    expect([...url.searchParams.keys()]).toEqual(['code', 'state']);
    expect(await end(url)).toEqual({});
  });
});

it.each([
  [59, { name: 'Ada' }],
  [61, {}],
])('is refused a minute after it was posted: %i seconds', async (seconds, claims) => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
  onTestFinished(() => void vi.useRealTimers());
  await begin({}, async ({ post, end }) => {
    const url = await post({ user: named('Ada') });
    vi.setSystemTime(Date.now() + seconds * 1000);
    expect(await end(url)).toEqual(claims);
  });
});

it('is not kept unless the app wants it', async () => {
  for (const options of [{ postedName: undefined }, { claims: ['email'] }])
    await begin(options, async ({ post, end }) => expect(await end(await post({ user: named('Ada') }))).toEqual({}));
});

it('never replaces a claim that the provider has signed, and none but the name is taken', async () => {
  const issued = { name: 'Ada', email: 'ada@example.test', email_verified: false };
  const user = JSON.stringify({ name: { firstName: 'Eve' }, email: 'eve@example.test', email_verified: true });
  await begin({ issued }, async ({ post, end }) => expect(await end(await post({ user }))).toEqual(issued));
});

it('is not taken from a URL that anyone could write, or from the form of another sign-in', async () => {
  await begin({}, async ({ state, end }) => {
    const query = new URLSearchParams({ code: 'c', state, user: named('Eve'), posted_name: 'Eve' });
    expect(await end(new URL(`${APP}/auth/callback?${query}`))).toEqual({});
  });
  await begin({}, async ({ state, post, end }) => {
    const url = await post({ user: named('Eve'), state: 'another' });
    url.searchParams.set('state', state);
    expect(await end(url)).toEqual({});
  });
});

it('is left out of an answer without a state, which ends no sign-in', async () => {
  await begin({}, async ({ server }) => {
    const body = new URLSearchParams({ code: 'c', user: named('Ada') });
    const posted = await server.POST(new Request(`${APP}/auth/callback`, { method: 'POST', body }));
    expect(posted.headers.get('location')).toBe(`${APP}/auth/callback?code=c`);
  });
});

it('is taken from a signed answer, whose state is in it', async () => {
  await begin({}, async ({ server, state }) => {
    const response = `${base64({ alg: 'RS256' })}.${base64({ state, code: 'c' })}.c2ln`;
    const body = new URLSearchParams({ response, user: named('Ada') });
    const posted = await server.POST(new Request(`${APP}/auth/callback`, { method: 'POST', body }));
    const { searchParams } = new URL(posted.headers.get('location') ?? '');
    expect([...searchParams.keys()]).toEqual(['response', 'posted_name']);
  });
});
