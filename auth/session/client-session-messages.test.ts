/** What the sessions of several tabs tell each other, over a channel of Node. A browser: client-session-tabs.test.ts. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { getCurrentTimeInSeconds } from './current-time.ts';
import { startHostileProvider } from './fixtures/hostile/provider.ts';
import type { HostileProvider } from './fixtures/hostile/provider.ts';
import { watchForms } from './fixtures/watch-forms.ts';
import { createSession } from './session.ts';
import type { Session, SessionStorage } from './session.ts';
import { TokenResponse } from './token-response.ts';

let provider: HostileProvider;
const errors: unknown[] = [];
const channels: BroadcastChannel[] = [];

beforeAll(async () => {
  provider = await startHostileProvider();
});

beforeEach(() => {
  provider.begin({});
  vi.stubGlobal('document', {});
  // Node waits for a channel that is open.
  const open = class extends BroadcastChannel {
    constructor(name: string) {
      super(name);
      channels.push(this);
    }
  };
  vi.stubGlobal('BroadcastChannel', open);
});

afterEach(() => {
  vi.unstubAllGlobals();
  for (const channel of channels.splice(0)) channel.close();
  expect(errors.splice(0)).toEqual([]);
});

afterAll(() => provider[Symbol.asyncDispose]());

interface Tab {
  session: Session;
  events: string[];
  /** Waits until it has had so many events. */
  until(count: number): Promise<void>;
}

async function openTab(storage?: SessionStorage): Promise<Tab> {
  const onError = (error: unknown): void => void errors.push(error);
  const session = createSession({ clientId: 'client', discovery: provider.issuer, onError, storage });
  const events: string[] = [];
  let heard = (): void => {};
  session.subscribe((event) => {
    events.push('reason' in event ? `${event.type}: ${event.reason}` : event.type);
    heard();
  });
  const until = async (count: number): Promise<void> => {
    while (events.length < count) await new Promise<void>((resolve) => (heard = resolve));
  };
  await until(1);
  return { session, events, until };
}

/** What the tabs of a browser share, as `localStorage`. */
function startStorage(): SessionStorage & { texts: Map<string, string> } {
  const texts = new Map<string, string>();
  return {
    texts,
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, value) => void texts.set(key, value),
    removeItem: (key) => void texts.delete(key),
  };
}

const now = getCurrentTimeInSeconds();
const fresh = { accessToken: 'first', refreshToken: 'refresh', expiresIn: 3600, issuedAt: now };
const expired = { ...fresh, issuedAt: now - 3600 };

it('signs in, refreshes and signs out in all tabs that share a storage', async () => {
  const storage = startStorage();
  const [one, other] = [await openTab(storage), await openTab(storage)];
  await one.session.startAsync(new TokenResponse(expired));
  await other.until(2);
  expect(await one.session.getAccessTokenAsync()).toBe('the-access-token');
  await other.until(3);
  const read = vi.spyOn(storage, 'getItem');
  expect(await other.session.getAccessTokenAsync()).toBe('the-access-token');
  expect([read.mock.calls, provider.asked.filter((path) => path === '/token').length]).toEqual([[], 1]);
  await other.session.signOutAsync();
  await one.until(4);
  for (const { events, session } of [one, other]) {
    expect(events).toEqual(['loaded', 'signed-in', 'refreshed', 'signed-out: asked']);
    expect([session.getState().status, await session.getAccessTokenAsync()]).toEqual(['signed-out', null]);
  }
  // The tokens are the same in both, and are revoked once.
  expect(provider.asked.filter((path) => path === '/revoke').length).toBe(1);
});

it('ends a session in all tabs that share a storage when the provider refuses', async () => {
  const storage = startStorage();
  const [one, other] = [await openTab(storage), await openTab(storage)];
  await one.session.startAsync(new TokenResponse(expired));
  await other.until(2);
  provider.begin({ tokens: () => ({ error: 'invalid_grant' }) });
  expect(await one.session.getAccessTokenAsync()).toBeNull();
  await other.until(3);
  expect([other.events.at(-1), other.session.getState().status]).toEqual(['signed-out: asked', 'signed-out']);
});

it('refreshes with the tokens of another tab that the storage could not keep', async () => {
  const storage = startStorage();
  const [one, other] = [await openTab(storage), await openTab(storage)];
  await one.session.startAsync(new TokenResponse(expired));
  await other.until(2);
  vi.spyOn(storage, 'setItem').mockImplementation(() => {
    throw new Error('full');
  });
  provider.begin({ tokens: (honest) => ({ ...honest, access_token: 'second', refresh_token: 'next' }) });
  await one.session.getAccessTokenAsync();
  await other.until(3);
  expect(await other.session.getAccessTokenAsync()).toBe('second');
  const sent = watchForms('/token');
  provider.begin({});
  expect(await other.session.getAccessTokenAsync({ refused: 'second' })).toBe('the-access-token');
  expect(sent.map((form) => form.get('refresh_token'))).toEqual(['next']);
  const coded = { code: 'ERR_AUTH_STORAGE' };
  expect(errors.splice(0)).toMatchObject([coded, coded]);
});

it('takes the tokens of another tab once, although its own could not be kept', async () => {
  const storage = startStorage();
  const [one, other] = [await openTab(storage), await openTab(storage)];
  const full = Promise.withResolvers<void>();
  vi.spyOn(storage, 'setItem').mockImplementationOnce(() => full.promise);
  const started = one.session.startAsync(new TokenResponse(fresh));
  await other.session.startAsync(new TokenResponse(expired));
  await one.until(3);
  full.reject(new Error('full'));
  await expect(started).rejects.toMatchObject({ code: 'ERR_AUTH_STORAGE' });
  expect(await one.session.getAccessTokenAsync()).toBe('the-access-token');
  expect(one.events).toEqual(['loaded', 'signed-in', 'signed-in', 'refreshed']);
});

it('takes tokens that came while it waited for its turn, although the storage can no longer be read', async () => {
  const storage = startStorage();
  const { session } = await openTab(storage);
  await session.startAsync(new TokenResponse(expired));
  const goesOn = Promise.withResolvers<void>();
  const turn = navigator.locks.request('appkit-auth-session:client', () => goesOn.promise);
  const call = session.getAccessTokenAsync();
  while ((await navigator.locks.query()).pending?.length !== 1) await new Promise((resolve) => setImmediate(resolve));
  await session.startAsync(new TokenResponse({ ...fresh, accessToken: 'second' }));
  vi.spyOn(storage, 'getItem').mockImplementation(() => {
    throw new Error('blocked');
  });
  goesOn.resolve();
  expect(await call).toBe('second');
  await turn;
});

it('without a storage, signs out in all tabs, each of which revokes its own tokens', async () => {
  const [one, other, stranger] = [await openTab(), await openTab(), await openTab()];
  await one.session.startAsync(new TokenResponse({ ...fresh, refreshToken: 'of one' }));
  await other.session.startAsync(new TokenResponse({ ...fresh, accessToken: 'own', refreshToken: 'of the other' }));
  expect(await one.session.getAccessTokenAsync()).toBe('first');
  const revoked = watchForms('/revoke');
  await one.session.signOutAsync();
  await other.until(3);
  const tokens = (): unknown[] => revoked.map((form) => form.get('token')).toSorted();
  await vi.waitFor(() => expect(tokens()).toEqual(['of one', 'of the other']));
  for (const { events } of [one, other]) expect(events).toEqual(['loaded', 'signed-in', 'signed-out: asked']);
  // Nobody was signed in there, and no sign-in elsewhere has changed that.
  expect(stranger.events).toEqual(['loaded']);
});

it('without a storage, goes on in other tabs when a session ends by itself', async () => {
  const [one, other] = [await openTab(), await openTab()];
  await one.session.startAsync(new TokenResponse({ ...expired, refreshToken: undefined }));
  await other.session.startAsync(new TokenResponse(fresh));
  const heard = new Promise((resolve) => channels[1]?.addEventListener('message', resolve));
  expect(await one.session.getAccessTokenAsync()).toBeNull();
  // Without another message, this one is the first that the other tab hears.
  channels[0]?.postMessage({ type: 'refreshed', text: null });
  await heard;
  expect([one.events.at(-1), other.events]).toEqual(['signed-out: expired', ['loaded', 'signed-in']]);
});
