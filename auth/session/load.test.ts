import { expect, it } from 'vitest';
import { json, startAnsweringServer } from './fixtures/answering-server.ts';
import { loadAsync } from './load.ts';

const config = { clientId: 'client', redirectUri: 'https://app.example/callback' };

it('creates a request that can be prompted at once, from an issuer or a document', async () => {
  await using server = await startAnsweringServer();
  const endpoint = `${server.origin}/authorize`;
  server.answer = json(200, { issuer: server.origin, authorization_endpoint: endpoint });
  for (const from of [server.origin, { authorizationEndpoint: endpoint }]) {
    const { state, url } = await loadAsync(config, from);
    expect(new URL(url ?? '').searchParams.get('state')).toBe(state);
    expect(url).toContain(`${endpoint}?`);
  }
});

it('creates none when the document is that of another provider', async () => {
  await using server = await startAnsweringServer();
  server.answer = json(200, { issuer: 'https://evil.example' });
  await expect(loadAsync(config, server.origin)).rejects.toMatchObject({ code: 'issuer_mismatch' });
});
