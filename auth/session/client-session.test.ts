import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { fetchDiscoveryAsync } from './discovery.ts';
import { startHostileProvider } from './fixtures/hostile/provider.ts';
import type { HostileProvider } from './fixtures/hostile/provider.ts';
import { watchForms } from './fixtures/watch-forms.ts';
import { createSession, fetchWithSession } from './session.ts';
import type { Session, SessionConfig, SessionStorage } from './session.ts';
import { TokenResponse } from './token-response.ts';
import { getCurrentTimeInSeconds } from './current-time.ts';
import { useSession } from './use-session.ts';

let provider: HostileProvider;
const errors: unknown[] = [];

beforeAll(async () => {
  provider = await startHostileProvider();
});

beforeEach(() => provider.begin({}));

afterEach(() => {
  vi.unstubAllGlobals();
  expect(errors.splice(0)).toEqual([]);
});

afterAll(() => provider[Symbol.asyncDispose]());

function start(config: Partial<SessionConfig> = {}): { session: Session; events: string[] } {
  const session = createSession({
    clientId: 'client',
    discovery: provider.issuer,
    onError: (error) => errors.push(error),
    ...config,
  });
  const events: string[] = [];
  session.subscribe((event) => events.push('reason' in event ? `${event.type}: ${event.reason}` : event.type));
  return { session, events };
}

function storageWith(text?: string): SessionStorage & { texts: Map<string, string> } {
  const texts = new Map<string, string>(text === undefined ? [] : [['appkit-auth-session:client', text]]);
  return {
    texts,
    // As in a native app: later.
    getItem: async (key) => texts.get(key) ?? null,
    setItem: (key, value) => void texts.set(key, value),
    removeItem: (key) => void texts.delete(key),
  };
}

const now = getCurrentTimeInSeconds();
const fresh = { accessToken: 'first', refreshToken: 'refresh', expiresIn: 3600, issuedAt: now };
const expiring = { ...fresh, issuedAt: now - 3570 };
const expired = { ...fresh, issuedAt: now - 3600 };

it('returns null before sign-in, and the token afterwards, without a request to the provider', async () => {
  const { session, events } = start();
  expect(await session.getAccessTokenAsync()).toBeNull();
  await session.startAsync(new TokenResponse(fresh));
  expect(await session.getAccessTokenAsync()).toBe('first');
  expect([events, session.getState().status, provider.asked]).toEqual([['loaded', 'signed-in'], 'signed-in', []]);
});

it('refreshes before the token expires, once for all callers', async () => {
  const { session, events } = start();
  await session.startAsync(new TokenResponse(expiring));
  const given = await Promise.all([1, 2, 3].map(() => session.getAccessTokenAsync()));
  expect(given).toEqual(Array(3).fill('the-access-token'));
  expect(provider.asked.filter((path) => path === '/token').length).toBe(1);
  expect(events).toEqual(['loaded', 'signed-in', 'refreshed']);
});

it('does not mutate objects that it has returned', async () => {
  const { session } = start();
  const tokens = new TokenResponse(expiring);
  await session.startAsync(tokens);
  const before = session.getState();
  await session.getAccessTokenAsync();
  expect([before.tokens?.accessToken, tokens.accessToken, Object.isFrozen(before)]).toEqual(['first', 'first', true]);
});

it('keeps the tokens in the storage, and deletes invalid contents', async () => {
  const storage = storageWith();
  await start({ storage }).session.startAsync(new TokenResponse(fresh));
  expect([...storage.texts.keys()]).toEqual(['appkit-auth-session:client']);
  expect(await start({ storage }).session.getAccessTokenAsync()).toBe('first');
  expect(await start({ storage, name: 'another' }).session.getAccessTokenAsync()).toBeNull();
  for (const text of ['', '{', 'null', '[]', '{}', '{"accessToken":1}', '{"accessToken":"a","issuedAt":"b"}']) {
    expect(await start({ storage: storageWith(text) }).session.getAccessTokenAsync()).toBeNull();
  }
});

it('ends when the token has expired and cannot be refreshed', async () => {
  const storage = storageWith();
  const { session, events } = start({ storage });
  await session.startAsync(new TokenResponse({ ...expiring, refreshToken: undefined }));
  expect(await session.getAccessTokenAsync()).toBe('first');
  await session.startAsync(new TokenResponse({ ...expired, refreshToken: undefined }));
  expect(await session.getAccessTokenAsync()).toBeNull();
  expect([events.at(-1), storage.texts.size]).toEqual(['signed-out: expired', 0]);
});

it.each([
  ['a refresh token that the provider refuses', { tokens: () => ({ error: 'invalid_grant' }) }],
  [
    'a refusal as of Fitbit',
    { reply: { token: () => ({ status: 400, headers: {}, body: { errors: [{ errorType: 'invalid_grant' }] } }) } },
  ],
  ['a refresh for which the user is needed', { tokens: () => ({ error: 'interaction_required' }) }],
  ['an id_token for another client', { claims: (honest: object) => ({ ...honest, aud: 'other' }) }],
])('ends by %s', async (_, lies) => {
  const { session, events } = start();
  await session.startAsync(new TokenResponse(expired));
  provider.begin(lies);
  expect(await session.getAccessTokenAsync()).toBeNull();
  expect(events.at(-1)).toBe('signed-out: refused');
});

it('continues while the provider is down, and says so when the token has expired', async () => {
  const { session } = start();
  provider.begin({ reply: { token: () => null } });
  await session.startAsync(new TokenResponse(expiring));
  expect(await session.getAccessTokenAsync()).toBe('first');
  expect(errors.splice(0)).toMatchObject([{ code: 'no_response' }]);
  await session.startAsync(new TokenResponse(expired));
  await expect(session.getAccessTokenAsync()).rejects.toMatchObject({ code: 'no_response' });
  provider.begin({});
  expect(await session.getAccessTokenAsync()).toBe('the-access-token');
});

it('stays signed out when a refresh ends later, and revokes those tokens too', async () => {
  const storage = storageWith();
  const { session } = start({ storage });
  await session.startAsync(new TokenResponse(expired));
  let leaving: Promise<void> | undefined;
  provider.begin({
    tokens: (honest) => {
      leaving ??= session.signOutAsync();
      return honest;
    },
  });
  expect(await session.getAccessTokenAsync()).toBeNull();
  await leaving;
  expect([session.getState().status, storage.texts.size]).toEqual(['signed-out', 0]);
  expect(provider.asked.filter((path) => path === '/revoke').length).toBe(2);
});

it('signs out here whatever the provider says', async () => {
  const { session, events } = start();
  await session.startAsync(new TokenResponse(fresh));
  provider.begin({ reply: { revoke: (honest) => ({ ...honest, status: 503 }) } });
  await session.signOutAsync();
  expect([events.at(-1), await session.getAccessTokenAsync()]).toEqual(['signed-out: asked', null]);
  expect(errors.splice(0)).toMatchObject([{ name: 'ResponseError' }]);
});

it('writes failures that no caller awaits to the console, unless the app handles them', async () => {
  const log = vi.spyOn(console, 'error').mockReturnValue();
  const { session } = start({ onError: undefined });
  await session.startAsync(new TokenResponse(fresh));
  provider.begin({ reply: { revoke: (honest) => ({ ...honest, status: 503 }) } });
  await session.signOutAsync();
  expect(log.mock.calls).toEqual([[expect.objectContaining({ name: 'ResponseError' })]]);
  log.mockRestore();
});

it.each([
  ['the refresh token', fresh, 'refresh'],
  ['the access token where there is no other', { ...fresh, refreshToken: undefined }, 'first'],
])('revokes %s at sign-out', async (_, tokens, expected) => {
  const { session } = start();
  await session.startAsync(new TokenResponse(tokens));
  const forms = watchForms('/revoke');
  await session.signOutAsync();
  expect(forms.map((form) => form.get('token'))).toEqual([expected]);
});

it('signs out without an error where the provider revokes no tokens', async () => {
  provider.begin({ metadata: (honest) => ({ ...honest, revocation_endpoint: undefined }) });
  const { session, events } = start({ discovery: await fetchDiscoveryAsync(provider.issuer) });
  await session.startAsync(new TokenResponse(fresh));
  await session.signOutAsync();
  expect(events.at(-1)).toBe('signed-out: asked');
});

it('says that the storage is full or blocked', async () => {
  const full = (): never => {
    throw new Error('QuotaExceededError');
  };
  const { session } = start({ storage: { ...storageWith(), setItem: full } });
  const coded = { code: 'ERR_AUTH_STORAGE', cause: { message: 'QuotaExceededError' } };
  const unwritten = { ...coded, message: 'The storage of the session cannot be written: it is full, or blocked.' };
  await expect(session.startAsync(new TokenResponse(fresh))).rejects.toMatchObject(unwritten);
  expect(await session.getAccessTokenAsync()).toBe('first');
  const blocked = start({ storage: { ...storageWith(), getItem: full } });
  const unread = { ...coded, message: 'The storage of the session cannot be read: it is blocked.' };
  await expect(blocked.session.getAccessTokenAsync()).rejects.toMatchObject(unread);
  expect(errors.splice(0)).toMatchObject([unread]);
});

it('keeps the newest tokens in memory when the storage cannot be written', async () => {
  let isLocked = false;
  const storage = storageWith();
  const lockable: SessionStorage = {
    ...storage,
    // As the store of a device that is locked.
    setItem(key, value) {
      if (isLocked) throw new Error('locked');
      storage.texts.set(key, value);
    },
  };
  const { session, events } = start({ storage: lockable });
  await session.startAsync(new TokenResponse(expired));
  isLocked = true;
  for (const [accessToken, refreshToken] of [
    ['second', 'refresh-2'],
    ['third', 'refresh-3'],
  ] as const) {
    const own = { access_token: accessToken, refresh_token: refreshToken, expires_in: 0 };
    provider.begin({ tokens: (honest) => ({ ...honest, ...own }) });
    expect(await session.getAccessTokenAsync()).toBe(accessToken);
    expect(session.getState().tokens).toMatchObject({ accessToken, refreshToken });
    expect(errors.splice(0)).toMatchObject([{ code: 'ERR_AUTH_STORAGE' }]);
  }
  expect(events).toEqual(['signed-in', 'refreshed', 'refreshed']);
  isLocked = false;
  expect(await session.getAccessTokenAsync()).toBe('third');
  expect([...storage.texts.values()]).toEqual([expect.stringContaining('refresh-3')]);
});

it('refreshes tokens that a full storage has never kept', async () => {
  const full = (): never => {
    throw new Error('QuotaExceededError');
  };
  const { session, events } = start({ storage: { ...storageWith(), setItem: full } });
  await expect(session.startAsync(new TokenResponse(expired))).rejects.toMatchObject({ code: 'ERR_AUTH_STORAGE' });
  expect(await session.getAccessTokenAsync()).toBe('the-access-token');
  expect(events).toEqual(['signed-in', 'refreshed']);
  expect(errors.splice(0)).toMatchObject([{ code: 'ERR_AUTH_STORAGE' }]);
});

it('uses the tokens that another process has already refreshed in the same storage', async () => {
  const storage = storageWith();
  const [one, other] = [start({ storage }), start({ storage })];
  await one.session.startAsync(new TokenResponse(expired));
  await other.session.startAsync(new TokenResponse(expired));
  await one.session.getAccessTokenAsync();
  expect(await other.session.getAccessTokenAsync()).toBe('the-access-token');
  expect(provider.asked.filter((path) => path === '/token').length).toBe(1);
  expect(other.events.slice(-2)).toEqual(['signed-in', 'refreshed']);
});

it('refreshes again when those tokens have expired too', async () => {
  const storage = storageWith();
  const [one, other] = [start({ storage }), start({ storage })];
  await one.session.startAsync(new TokenResponse(expired));
  await other.session.startAsync(new TokenResponse(expired));
  provider.begin({ tokens: (honest) => ({ ...honest, access_token: 'second', refresh_token: 'next', expires_in: 0 }) });
  await one.session.getAccessTokenAsync();
  const forms = watchForms('/token');
  provider.begin({});
  expect(await other.session.getAccessTokenAsync()).toBe('the-access-token');
  expect(forms.map((form) => form.get('refresh_token'))).toEqual(['next']);
});

it('is signed out when another process has removed the tokens from the storage', async () => {
  const storage = storageWith();
  const [one, other] = [start({ storage }), start({ storage })];
  await one.session.startAsync(new TokenResponse(expired));
  await other.session.startAsync(new TokenResponse(expired));
  await one.session.signOutAsync();
  provider.begin({});
  expect(await other.session.getAccessTokenAsync()).toBeNull();
  expect([other.events.at(-1), provider.asked]).toEqual(['signed-out: asked', []]);
});

it('keeps a new sign-in when the storage then shows older tokens', async () => {
  const storage = storageWith();
  let isStarting = false;
  const { session } = start({
    storage: {
      ...storage,
      async getItem() {
        if (!isStarting) return null;
        isStarting = false;
        await session.startAsync(new TokenResponse({ ...fresh, accessToken: 'new' }));
        return JSON.stringify({ ...fresh, accessToken: 'older' });
      },
    },
  });
  await session.startAsync(new TokenResponse(expired));
  isStarting = true;
  expect(await session.getAccessTokenAsync()).toBe('new');
});

it('keeps a new sign-in when the refresh of the earlier one is then refused', async () => {
  const { session, events } = start();
  await session.startAsync(new TokenResponse(expired));
  let starting: Promise<void> | undefined;
  provider.begin({
    tokens() {
      starting = session.startAsync(new TokenResponse({ ...fresh, accessToken: 'new' }));
      return { error: 'invalid_grant' };
    },
  });
  expect(await session.getAccessTokenAsync()).toBe('new');
  await starting;
  expect(events.slice(-1)).toEqual(['signed-in']);
});

it('ends the wait only for the caller whose signal is aborted', async () => {
  const { session } = start();
  await session.startAsync(new TokenResponse(expired));
  const [alone, other] = [
    session.getAccessTokenAsync({ signal: AbortSignal.abort(new Error('enough')) }),
    session.getAccessTokenAsync(),
  ];
  await expect(alone).rejects.toThrow('enough');
  expect(await other).toBe('the-access-token');
});

it('sends no token without a session, nor over http to another machine', async () => {
  const { session } = start();
  await expect(fetchWithSession(session, `${provider.issuer}/me`)).rejects.toMatchObject({
    code: 'ERR_AUTH_SIGNED_OUT',
    message: 'No user is signed in. Offer a sign-in.',
  });
  await session.startAsync(new TokenResponse(fresh));
  for (const url of ['http://api.example/', '/relative', 'javascript:1']) {
    await expect(fetchWithSession(session, url)).rejects.toMatchObject({
      code: 'ERR_AUTH_ENDPOINT',
      message: expect.stringContaining('The URL of fetchWithSession'),
    });
  }
});

/** Answers requests to an API with these statuses, one after the other, and notes the requests. */
function startApi(statuses: number[]): { url: string; sent: Request[] } {
  const sent: Request[] = [];
  const { fetch } = globalThis;
  const url = 'https://api.example/notes';
  vi.stubGlobal('fetch', async (...given: Parameters<typeof fetch>) => {
    if (given[0] !== url) return fetch(...given);
    sent.push(new Request(...given));
    return new Response(null, { status: statuses.shift() ?? 500 });
  });
  return { url, sent };
}

it('sends a refused request once more with a new token, but not a third time', async () => {
  const { session } = start();
  await session.startAsync(new TokenResponse(fresh));
  const { url, sent } = startApi([401, 401]);
  const init = { method: 'POST', body: 'text', headers: { 'x-own': 'kept' } };
  expect((await fetchWithSession(session, url, init)).status).toBe(401);
  const told = sent.map(async ({ method, headers }, index) => {
    return [method, headers.get('x-own'), headers.get('authorization'), await sent[index]?.text()];
  });
  expect(await Promise.all(told)).toEqual([
    ['POST', 'kept', 'Bearer first', 'text'],
    ['POST', 'kept', 'Bearer the-access-token', 'text'],
  ]);
  expect(await session.getAccessTokenAsync()).toBe('the-access-token');
});

it.each([
  ['a success', 200, fresh, {}],
  ['another failure', 403, fresh, {}],
  ['a refusal when there is no other token', 401, { ...fresh, refreshToken: undefined }, {}],
  // It has been used up.
  ['a refusal of a stream', 401, fresh, { method: 'POST', body: new Blob(['text']).stream(), duplex: 'half' }],
])('returns %s without a second request', async (_, status, tokens, init) => {
  const { session } = start();
  await session.startAsync(new TokenResponse(tokens));
  const { url, sent } = startApi([status]);
  expect((await fetchWithSession(session, url, init)).status).toBe(status);
  expect([sent.length, provider.asked]).toEqual([1, []]);
});

it('sends a refused request again where there are no streams, as in React Native', async () => {
  // Node's own fetch needs them to refresh.
  const session = { ...start().session, getAccessTokenAsync: async ({ refused = '' } = {}) => `${refused}a` };
  const { url } = startApi([401, 200]);
  vi.stubGlobal('ReadableStream', undefined);
  expect((await fetchWithSession(session, url)).status).toBe(200);
});

it('says that the user is signed out when a request is refused and the session has ended', async () => {
  const { session } = start();
  await session.startAsync(new TokenResponse(fresh));
  const { url, sent } = startApi([401]);
  provider.begin({ tokens: () => ({ error: 'invalid_grant' }) });
  await expect(fetchWithSession(session, url)).rejects.toMatchObject({ code: 'ERR_AUTH_SIGNED_OUT' });
  expect(sent.length).toBe(1);
});

it('requests no token for a call that is already aborted', async () => {
  const { session } = start();
  await session.startAsync(new TokenResponse(expired));
  const signal = AbortSignal.abort(new Error('enough'));
  const { url, sent } = startApi([]);
  await expect(fetchWithSession(session, url, { signal })).rejects.toThrow('enough');
  expect([sent, provider.asked]).toEqual([[], []]);
});

it('keeps the tokens although a listener fails', async () => {
  const storage = storageWith();
  const { session } = start({ storage });
  const failure = new Error('of the listener');
  session.subscribe((event) => {
    if (event.type === 'signed-in') throw failure;
  });
  await session.startAsync(new TokenResponse(fresh));
  expect(errors.splice(0)).toEqual([failure]);
  expect(storage.texts.size).toBe(1);
  expect(await session.getAccessTokenAsync()).toBe('first');
});

it('does not call removed listeners', async () => {
  const { session } = start();
  const heard: string[] = [];
  const stop = session.subscribe(({ type }) => heard.push(type));
  stop();
  await session.startAsync(new TokenResponse(fresh));
  expect(heard).toEqual([]);
});

it('is loading in server-rendered pages', () => {
  const { session } = start();
  const Page = (): string => useSession(session).status;
  expect(renderToString(createElement(Page))).toBe('loading');
});

it('needs a client id', () => {
  const create = (): Session => createSession({ clientId: '', discovery: 'https://provider.example' });
  expect(create).toThrow('A session has no clientId, which is required.');
});
