import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { getRandomBytes, getRandomBytesAsync, getRandomValues, randomUUID } from './random.ts';

afterEach(() => vi.unstubAllGlobals());

it('returns the requested number of bytes, different each time', async () => {
  expect(getRandomBytes(0)).toHaveLength(0);
  expect(getRandomBytes(1024)).toHaveLength(1024);
  expect(getRandomBytes(32)).not.toEqual(getRandomBytes(32));
  expect(await getRandomBytesAsync(16)).toHaveLength(16);
});

it.each([-1, 1025, 1.5, Number.NaN, '8' as never])('refuses to return %s bytes', async (count) => {
  expect(() => getRandomBytes(count)).toThrow(expect.objectContaining({ name: 'TypeError', code: 'ERR_CRYPTO' }));
  await expect(getRandomBytesAsync(count)).rejects.toThrow(/whole number from 0 to 1024/);
});

it('fills an array of integers and returns it', () => {
  const values = new Uint32Array(8);
  expect(getRandomValues(values)).toBe(values);
  expect(values.some((value) => value > 0)).toBe(true);
});

it('fills a Buffer of Node, which is a Uint8Array', () => {
  const values = Buffer.alloc(32);
  expect(getRandomValues(values)).toBe(values);
  expect(values.equals(Buffer.alloc(32))).toBe(false);
});

it.each([
  [new Float64Array(1)],
  [new DataView(new ArrayBuffer(1))],
  [[1, 2]],
  [new Uint8Array(65_537)],
  [new BigInt64Array(1)],
])('refuses to fill %s', (values) => {
  expect(() => getRandomValues(values as never)).toThrow(expect.objectContaining({ code: 'ERR_CRYPTO' }));
});

const version4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

it('returns a UUID of version 4', () => {
  expect(randomUUID()).toMatch(version4);
  expect(randomUUID()).not.toBe(randomUUID());
});

it('returns a UUID of version 4 on a platform without randomUUID', () => {
  const { crypto } = globalThis;
  vi.stubGlobal('crypto', { getRandomValues: (values: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(values) });
  expect(randomUUID()).toMatch(version4);
});

it.each([
  ['getRandomBytes', () => getRandomBytes(8)],
  ['getRandomValues', () => getRandomValues(new Uint8Array(8))],
  ['randomUUID', () => randomUUID()],
])('%s throws without a secure source', (_, call) => {
  vi.stubGlobal('crypto', undefined);
  expect(call).toThrow(expect.objectContaining({ code: 'ERR_CRYPTO_UNAVAILABLE' }));
});

it('is the only source: no sign-in code uses guessable random numbers', async () => {
  const auth = path.join(import.meta.dirname, '..');
  const files = globSync('*/**/*.{ts,tsx}', { cwd: auth, exclude: ['**/node_modules', '*/lib'] });
  expect(files).toEqual(expect.arrayContaining(['crypto/random.ts', 'session/auth-request.ts']));
  for (const file of files) {
    expect(await readFile(path.join(auth, file), 'utf8'), file).not.toMatch(/Math\W+random/);
  }
});
