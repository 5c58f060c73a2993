import { afterEach, expect, it, vi } from 'vitest';
import { digest, digestStringAsync } from './digest.ts';
import { CryptoDigestAlgorithm, CryptoEncoding } from './digest-options.ts';

afterEach(() => vi.unstubAllGlobals());

// FIPS 180-2, appendices B and C, and the digest of the two bytes of ü in UTF-8.
it.each([
  ['SHA-1', 'abc', 'a9993e364706816aba3e25717850c26c9cd0d89d'],
  ['SHA-256', 'abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ['SHA-256', '', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
] as const)('returns the %s of %j in hexadecimal', async (algorithm, data, expected) => {
  expect(await digestStringAsync(algorithm, data)).toBe(expected);
});

it('returns a digest in Base64 with padding', async () => {
  const digested = await digestStringAsync(CryptoDigestAlgorithm.SHA256, 'abc', { encoding: CryptoEncoding.BASE64 });
  expect(digested).toBe('ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=');
});

it('reads a string as UTF-8', async () => {
  const bytes = await digest(CryptoDigestAlgorithm.SHA512, new Uint8Array([0xc3, 0xbc]));
  expect(Buffer.from(bytes).toString('hex')).toBe(await digestStringAsync(CryptoDigestAlgorithm.SHA512, 'ü'));
});

it('accepts an ArrayBuffer, and only the viewed part of one', async () => {
  const { buffer } = new Uint8Array([1, 2, 3, 4]);
  const whole = await digest(CryptoDigestAlgorithm.SHA384, buffer);
  expect(whole.byteLength).toBe(48);
  const part = await digest(CryptoDigestAlgorithm.SHA384, new Uint8Array(buffer, 1, 2));
  expect(part).toEqual(await digest(CryptoDigestAlgorithm.SHA384, new Uint8Array([2, 3])));
});

it.each([
  ['an unknown algorithm', () => digestStringAsync('MD5' as never, 'abc'), /no algorithm "MD5".*SHA-256/],
  ['an unknown encoding', () => digestStringAsync('SHA-1', 'abc', { encoding: 'utf8' as never }), /hex, base64/],
  ['a string that is none', () => digestStringAsync('SHA-1', 1 as never), /needs a string, not number/],
  ['bytes that are none', () => digest('SHA-1', 'abc' as never), /ArrayBuffer/],
])('refuses %s', async (_, call, message) => {
  await expect(call()).rejects.toThrow(expect.objectContaining({ name: 'TypeError', code: 'ERR_CRYPTO' }));
  await expect(call()).rejects.toThrow(message);
});

it('says that an insecure page cannot create digests', async () => {
  vi.stubGlobal('crypto', {});
  await expect(digestStringAsync('SHA-256', 'abc')).rejects.toThrow(
    expect.objectContaining({ code: 'ERR_CRYPTO_UNAVAILABLE' }),
  );
});
