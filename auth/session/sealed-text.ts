import { EncryptJWT, errors, jwtDecrypt } from 'jose';
import type { JWTPayload } from 'jose';
import type { Settings } from './session-server-options.ts';

/** The purpose of an encrypted text. A text for one purpose is not accepted for another. */
export type Purpose = 'posted-name' | 'session' | 'sign-in';

const HEADER = { alg: 'dir', enc: 'A256GCM' } as const;

/**
 * Encrypts an object so that only this app can read it, and sees any change.
 *
 * @param endsAt – when it expires, in seconds since 1970.
 * @see RFC 7516
 */
export async function seal(content: object, endsAt: number, purpose: Purpose, settings: Settings): Promise<string> {
  const [secret = ''] = settings.secrets;
  const token = new EncryptJWT({ content }).setProtectedHeader(HEADER).setExpirationTime(endsAt);
  return token.encrypt(await keyOf(secret, purpose, settings));
}

/** What was sealed. */
export interface Opened {
  content: unknown;
  endsAt: number;
  /** Whether it was encrypted with a secret that is being replaced. */
  isOld: boolean;
}

/** Decrypts a text from {@link seal}; undefined for anything else, and for an expired text. */
export async function open(sealed: string, purpose: Purpose, settings: Settings): Promise<Opened | undefined> {
  for (const [index, secret] of settings.secrets.entries()) {
    const payload = await decrypt(sealed, await keyOf(secret, purpose, settings));
    if (payload) return { content: payload['content'], endsAt: payload.exp ?? 0, isOld: index > 0 };
  }
  return undefined;
}

async function decrypt(sealed: string, key: Uint8Array): Promise<JWTPayload | undefined> {
  try {
    const options = {
      keyManagementAlgorithms: [HEADER.alg],
      contentEncryptionAlgorithms: [HEADER.enc],
      requiredClaims: ['exp'],
    };
    return (await jwtDecrypt(sealed, key, options)).payload;
  } catch (error) {
    // A visitor with such a cookie is not signed in.
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

// Each purpose and each client has its own key, so that a cookie of one app is invalid in another with the same secret.
async function keyOf(secret: string, purpose: Purpose, { clientId, issuer }: Settings): Promise<Uint8Array> {
  const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
  const material = await crypto.subtle.importKey('raw', encode(secret), 'HKDF', false, ['deriveBits']);
  const info = encode(JSON.stringify(['appkit-auth-session', purpose, issuer, clientId]));
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info };
  return new Uint8Array(await crypto.subtle.deriveBits(derivation, material, 256));
}
