import { EncryptJWT, errors, jwtDecrypt, jwtVerify, SignJWT } from 'jose';
import type { JWTPayload } from 'jose';

/** The sealed value, and the start and end of its validity, in seconds since 1970. */
export interface Sealed {
  data: object;
  startsAt: number;
  endsAt: number;
}

/** Seals values with one secret, and opens them. */
export interface Seal {
  close(sealed: Sealed): Promise<string>;
  /** Returns `undefined` for a value that was not sealed with this secret for this purpose, or that has expired. */
  open(text: string): Promise<Sealed | undefined>;
}

/**
 * Creates a seal. It uses only Web Crypto, on every host.
 *
 * @param purpose – what the values are for: a value of one purpose is not accepted for another.
 * @param isEncrypted – whether they are encrypted. Otherwise they are only signed.
 * @see RFC 7516, RFC 7515, RFC 5869
 */
export function createSeal(secret: string, purpose: string, isEncrypted: boolean): Seal {
  const info = JSON.stringify(['appkit-server', purpose, isEncrypted ? 'encrypted' : 'signed']);
  let derived: Promise<Uint8Array> | undefined;
  const key = (): Promise<Uint8Array> => (derived ??= deriveKey(secret, info));
  return {
    async close({ data, startsAt, endsAt }) {
      const content = { data };
      if (isEncrypted) {
        const token = new EncryptJWT(content).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' });
        return token
          .setIssuedAt(startsAt)
          .setExpirationTime(endsAt)
          .encrypt(await key());
      }
      const token = new SignJWT(content).setProtectedHeader({ alg: 'HS256' });
      return token
        .setIssuedAt(startsAt)
        .setExpirationTime(endsAt)
        .sign(await key());
    },
    async open(text) {
      const secretKey = await key();
      try {
        const { payload } = isEncrypted
          ? await jwtDecrypt(text, secretKey, {
              keyManagementAlgorithms: ['dir'],
              contentEncryptionAlgorithms: ['A256GCM'],
            })
          : await jwtVerify(text, secretKey, { algorithms: ['HS256'] });
        return toSealed(payload);
      } catch (error) {
        // A visitor with such a cookie has no session.
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}

function toSealed({ data, iat, exp }: JWTPayload): Sealed | undefined {
  if (typeof data !== 'object' || data === null || iat === undefined || exp === undefined) return undefined;
  return { data, startsAt: iat, endsAt: exp };
}

async function deriveKey(secret: string, info: string): Promise<Uint8Array> {
  const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
  const material = await crypto.subtle.importKey('raw', encode(secret), 'HKDF', false, ['deriveBits']);
  const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encode(info) };
  return new Uint8Array(await crypto.subtle.deriveBits(derivation, material, 256));
}
