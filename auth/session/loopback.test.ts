import { getLoopbackRedirectUrl } from 'appkit-web-browser';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AuthRequest } from './auth-request.ts';
import type { AuthRequestConfig } from './auth-request-config.ts';
import { fetchDiscoveryAsync } from './discovery.ts';
import { clients, startProvider, type LocalProvider } from './fixtures/provider.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import { fetchUserInfoAsync } from './user-info.ts';

let provider: LocalProvider;
let discovery: DiscoveryDocument;

beforeAll(async () => {
  provider = await startProvider();
  discovery = await fetchDiscoveryAsync(provider.issuer);
});

afterAll(() => provider[Symbol.asyncDispose]());

const browserCommand = [process.execPath, join(import.meta.dirname, 'fixtures/browser.ts')];

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

it('says that the user has refused', async () => {
  const request = await requestOf();
  const result = await request.promptAsync(discovery, { browserCommand: [...browserCommand, 'cancel'] });
  expect(result).toMatchObject({ type: 'error', errorCode: 'access_denied' });
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
