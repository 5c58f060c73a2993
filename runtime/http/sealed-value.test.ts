import { hkdfSync } from 'node:crypto';
import { EncryptJWT, SignJWT } from 'jose';
import type { JWTPayload } from 'jose';
import { describe, expect, it, vi } from 'vitest';
import { createSeal } from './sealed-value.ts';

const SECRET = 'secret'.repeat(6);
const IN_2100 = 4_102_444_800;
const seals = { encrypted: createSeal(SECRET, 'test', true), signed: createSeal(SECRET, 'test', false) };

/** The key of a seal: RFC 5869. Cookies that users have are readable only while it stays the same. */
const keyOf = (kind: 'encrypted' | 'signed'): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', SECRET, '', JSON.stringify(['appkit-server', 'test', kind]), 32));

const encrypt = (payload: JWTPayload, enc = 'A256GCM'): Promise<string> =>
  new EncryptJWT(payload).setProtectedHeader({ alg: 'dir', enc }).encrypt(keyOf('encrypted'));
const sign = (payload: JWTPayload, alg = 'HS256'): Promise<string> =>
  new SignJWT(payload).setProtectedHeader({ alg }).sign(keyOf('signed'));

const whole = { data: { user: 'ada' }, iat: 1, exp: IN_2100 };

describe.each([
  ['encrypted', encrypt, 'A128CBC-HS256'],
  ['signed', sign, 'HS384'],
] as const)('a value that is %s', (kind, seal, otherAlgorithm) => {
  it('is opened whatever release has sealed it', async () => {
    const opened = { data: { user: 'ada' }, startsAt: 1, endsAt: IN_2100 };
    expect(await seals[kind].open(await seal(whole))).toEqual(opened);
    expect(await seals[kind].open(await seals[kind].close(opened))).toEqual(opened);
  });

  it('is not accepted with another algorithm', async () => {
    expect(await seals[kind].open(await seal(whole, otherAlgorithm))).toBeUndefined();
  });

  it.each([
    ['no data', { data: undefined }],
    ['a text as data', { data: 'ada' }],
    ['null as data', { data: null }],
    ['no start', { iat: undefined }],
    ['no end', { exp: undefined }],
  ])('is not accepted with %s', async (_, changed) => {
    expect(await seals[kind].open(await seal({ ...whole, ...changed } as JWTPayload))).toBeUndefined();
  });

  it('is not taken for an invalid one when the platform fails', async () => {
    const text = await seal(whole);
    await seals[kind].open(text);
    const failing = vi.spyOn(crypto.subtle, 'importKey').mockRejectedValue(new Error('out of keys'));
    try {
      await expect(seals[kind].open(text)).rejects.toThrow('out of keys');
    } finally {
      failing.mockRestore();
    }
  });
});
