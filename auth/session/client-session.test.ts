import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startHostileProvider } from './fixtures/hostile/provider.ts';
import type { HostileProvider } from './fixtures/hostile/provider.ts';
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

afterEach(() => expect(errors.splice(0)).toEqual([]));

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
  expect(await start({ storage }).session.getAccessTokenAsync()).toBe('first');
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

it('says that the storage is full or blocked', async () => {
  const full = (): never => {
    throw new Error('QuotaExceededError');
  };
  const { session } = start({ storage: { ...storageWith(), setItem: full } });
  const coded = { code: 'ERR_AUTH_STORAGE', cause: { message: 'QuotaExceededError' } };
  await expect(session.startAsync(new TokenResponse(fresh))).rejects.toMatchObject(coded);
  expect(await session.getAccessTokenAsync()).toBe('first');
  const blocked = start({ storage: { ...storageWith(), getItem: full } });
  await expect(blocked.session.getAccessTokenAsync()).rejects.toMatchObject(coded);
  expect(errors.splice(0)).toMatchObject([coded]);
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
  const url = `${provider.issuer}/me`;
  await expect(fetchWithSession(session, url)).rejects.toMatchObject({ code: 'ERR_AUTH_SIGNED_OUT' });
  await session.startAsync(new TokenResponse(fresh));
  for (const url of ['http://api.example/', '/relative', 'javascript:1']) {
    await expect(fetchWithSession(session, url)).rejects.toMatchObject({ code: 'ERR_AUTH_ENDPOINT' });
  }
});

it('sends a refused request once more, but not a third time', async () => {
  const { session } = start();
  await session.startAsync(new TokenResponse(fresh));
  provider.begin({ reply: { me: (honest) => ({ ...honest, status: 401 }) } });
  const init = { method: 'POST', body: 'text', headers: { 'x-own': 'kept' } };
  expect((await fetchWithSession(session, `${provider.issuer}/me`, init)).status).toBe(401);
  expect(provider.asked.filter((path) => path !== '/.well-known/openid-configuration')).toEqual([
    '/me',
    '/token',
    '/me',
  ]);
  expect(await session.getAccessTokenAsync()).toBe('the-access-token');
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
  expect(() => createSession({ clientId: '', discovery: 'https://provider.example' })).toThrow(/clientId/);
});
