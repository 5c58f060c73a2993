import { expect, it, vi } from 'vitest';
import { open, seal } from './sealed-text.ts';
import { toSettings } from './session-server-options.ts';

const request = new Request('https://app.example/');
const secrets = ['a secret of the tests, long enough'];
const settings = toSettings({ issuer: 'https://provider.example', clientId: 'client', secrets }, request);

it('reads what earlier releases have sealed: an update signs nobody out', async () => {
  const sealed =
    'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..7l31MKqXO39efCw5.3q8BiPac3i4ipUjvpHM7hN60iqoBznxr0Pu-cCukVWQviQGjFp8jPN7ZaKWf2Q.GBa8j189bjGIzWbE7ky89A';
  const expected = { content: { subject: 'ada' }, endsAt: 4_102_444_800, isOld: false };
  expect(await open(sealed, 'session', settings)).toEqual(expected);
});

it('opens a text only for its purpose, and until it expires', async () => {
  const now = Math.floor(Date.now() / 1000);
  const [valid, expired] = [
    await seal({}, now + 60, 'session', settings),
    await seal({}, now - 1, 'session', settings),
  ];
  expect(await open(valid, 'session', settings)).toEqual({ content: {}, endsAt: now + 60, isOld: false });
  expect(await open(valid, 'sign-in', settings)).toBeUndefined();
  expect(await open(expired, 'session', settings)).toBeUndefined();
});

it.each([
  { alg: 'RSA-OAEP', enc: 'A256GCM' },
  { alg: 'A256KW', enc: 'A256GCM' },
  { alg: 'PBES2-HS256+A128KW', enc: 'A256GCM', p2c: 1000, p2s: 'AAAAAAAAAAAAAAAAAAAAAA' },
  { alg: 'ECDH-ES', enc: 'A256GCM', epk: { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' } },
  { alg: 'dir', enc: 'A128CBC-HS256' },
  { alg: 'none' },
])('ignores a text whose header says %j, without an error (RFC 8725 section 3.1)', async (header) => {
  const [, ...parts] = (await seal({}, 4_102_444_800, 'session', settings)).split('.');
  const forged = Buffer.from(JSON.stringify(header)).toString('base64url');
  expect(await open([forged, ...parts].join('.'), 'session', settings)).toBeUndefined();
  expect(await open([forged, 'AAAA', ...parts.slice(1)].join('.'), 'session', settings)).toBeUndefined();
});

it('does not take a failure of the platform for a wrong cookie, which would sign the user out', async () => {
  const sealed = await seal({}, 4_102_444_800, 'session', settings);
  const { importKey } = crypto.subtle;
  const spy = vi.spyOn(crypto.subtle, 'importKey').mockImplementation(async (...given: unknown[]) => {
    if (JSON.stringify(given[2]).includes('AES-GCM')) throw new Error('out of memory');
    return Reflect.apply(importKey, crypto.subtle, given) as Promise<CryptoKey>;
  });
  await expect(open(sealed, 'session', settings).finally(() => spy.mockRestore())).rejects.toThrow('out of memory');
});
