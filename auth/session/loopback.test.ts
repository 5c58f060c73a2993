import { dismissAuthSession, getLoopbackRedirectUrl } from 'appkit-web-browser';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { AuthRequest } from './auth-request.ts';
import type { AuthRequestConfig } from './auth-request-config.ts';
import { fetchDiscoveryAsync } from './discovery.ts';
import { clients, startProvider } from './fixtures/provider.ts';
import type { LocalProvider } from './fixtures/provider.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import { fetchUserInfoAsync } from './user-info.ts';
import { endSessionAsync } from './end-session.ts';

let provider: LocalProvider;
let discovery: DiscoveryDocument;

beforeAll(async () => {
  provider = await startProvider({ jwtResponseModes: { enabled: true } });
  discovery = await fetchDiscoveryAsync(provider.issuer);
});

afterAll(() => provider[Symbol.asyncDispose]());

const browserCommand = [process.execPath, path.join(import.meta.dirname, 'fixtures/browser.ts')];

async function requestOf(config: Partial<AuthRequestConfig> = {}): Promise<AuthRequest> {
  const { clientId } = clients.public;
  return new AuthRequest({ clientId, redirectUri: await getLoopbackRedirectUrl(), scopes: ['openid'], ...config });
}

it('signs the user of a command-line tool in', async () => {
  const request = await requestOf();
  const result = await request.promptAsync(discovery, { browserCommand });
  if (result.type !== 'success') throw new Error(`It has ended as ${result.type}.`);
  expect(result).toMatchObject({ error: null, params: { state: request.state, iss: provider.issuer } });
  const tokens = await request.exchangeAsync(result, discovery);
  expect(await fetchUserInfoAsync(tokens, discovery)).toEqual({ sub: 'ada' });
});

it('signs in by a signed answer, whose URL does not show the state (JARM)', async () => {
  const request = await requestOf({ extraParams: { response_mode: 'jwt' } });
  const result = await request.promptAsync(discovery, { browserCommand, timeoutMs: 300_000 });
  expect(result).toMatchObject({ type: 'success', params: { state: request.state } });
});

it('says that the user has refused', async () => {
  const request = await requestOf();
  const result = await request.promptAsync(discovery, { browserCommand: [...browserCommand, 'cancel'] });
  expect(result).toMatchObject({ type: 'error', errorCode: 'access_denied' });
});

it("uses an app's own class for the URL of each prompt", async () => {
  let made = 0;
  class Counted extends AuthRequest {
    override async makeAuthUrlAsync(document: DiscoveryDocument): Promise<string> {
      made += 1;
      return `${await super.makeAuthUrlAsync(document)}&tenant=${made}`;
    }
  }
  const redirectUri = await getLoopbackRedirectUrl();
  const request = new Counted({ clientId: clients.public.clientId, redirectUri, prompt: 'none', scopes: ['openid'] });
  for (const _ of ['first', 'second']) {
    expect(await request.promptAsync(discovery, { browserCommand })).toMatchObject({ errorCode: 'login_required' });
  }
  expect(made).toBe(2);
});

it('makes the second prompt of a request a new one', async () => {
  const request = await requestOf({ prompt: 'none' });
  await request.makeAuthUrlAsync(discovery);
  const first = { url: request.url, state: request.state, codeVerifier: request.codeVerifier, nonce: request.nonce };
  expect(await request.promptAsync(discovery, { browserCommand })).toMatchObject({ errorCode: 'login_required' });
  expect(request).toMatchObject(first);
  expect(await request.promptAsync(discovery, { browserCommand })).toMatchObject({ errorCode: 'login_required' });
  for (const name of ['url', 'state', 'codeVerifier', 'nonce'] as const) expect(request[name]).not.toBe(first[name]);
});

it('signs the user of a command-line tool out at the provider', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'appkit-browser-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  // One browser, in which the user stays signed in.
  const options = { browserCommand: [...browserCommand, path.join(folder, 'cookies.json')] };
  const request = await requestOf();
  const result = await request.promptAsync(discovery, options);
  if (result.type !== 'success') throw new Error(`It has ended as ${result.type}.`);
  const { idToken } = await request.exchangeAsync(result, discovery);
  const again = async (): Promise<unknown> => (await requestOf({ prompt: 'none' })).promptAsync(discovery, options);
  // The provider knows the user, and asks a native client for consent each time.
  expect(await again()).toMatchObject({ errorCode: 'interaction_required' });
  const postLogoutRedirectUri = await getLoopbackRedirectUrl('/signed-out');
  expect(await endSessionAsync({ idToken, postLogoutRedirectUri }, discovery, options)).toEqual({ type: 'success' });
  expect(await again()).toMatchObject({ errorCode: 'login_required' });
});

it('does not treat a user who comes back without the state as signed out', async () => {
  const postLogoutRedirectUri = await getLoopbackRedirectUrl('/signed-out');
  const options = { browserCommand: [process.execPath, '-e', ''] };
  const ended = endSessionAsync({ postLogoutRedirectUri, clientId: clients.public.clientId }, discovery, options);
  for (const query of ['', '?state=guessed', '?error=server_error']) {
    const visited = (): Promise<number> =>
      fetch(postLogoutRedirectUri + query).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(visited, { interval: 10 }).toBe(404);
  }
  dismissAuthSession();
  expect(await ended).toEqual({ type: 'dismiss' });
});
