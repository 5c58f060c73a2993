import type { webcrypto } from 'node:crypto';
import { sessionSecret } from './settings.ts';

// 96 bits, as NIST SP 800-38D recommends for AES-GCM.
const IV_BYTES = 12;

/** Encrypts text so that only this app can read it, and notices any change. AES-GCM of WebCrypto, which every host has. */
export async function seal(text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, await key(), new TextEncoder().encode(text));
  return Buffer.concat([iv, new Uint8Array(sealed)]).toString('base64url');
}

/** Reads what {@link seal} has made; undefined for anything else, or when the secret is another by now. */
export async function open(sealed: string): Promise<string | undefined> {
  const bytes = new Uint8Array(Buffer.from(sealed, 'base64url'));
  const iv = bytes.subarray(0, IV_BYTES);
  const secretKey = await key();
  try {
    const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, secretKey, bytes.subarray(IV_BYTES));
    return new TextDecoder().decode(text);
  } catch {
    // WebCrypto does not say why. Whoever brings such a cookie is signed out.
    return undefined;
  }
}

async function key(): Promise<webcrypto.CryptoKey> {
  const secret = await crypto.subtle.importKey('raw', new TextEncoder().encode(sessionSecret()), 'HKDF', false, [
    'deriveKey',
  ]);
  const info = new TextEncoder().encode('session cookie');
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info };
  return crypto.subtle.deriveKey(derivation, secret, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
}
