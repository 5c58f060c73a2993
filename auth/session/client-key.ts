import { codedTypeError } from './coded-error.ts';

/**
 * A private key that signs: a `CryptoKey`, or a JWK with its `alg` (ES256, RS256, PS256, Ed25519) and, when the provider knows several,
 * its `kid`.
 */
export type ClientKey = CryptoKey | (JsonWebKey & { kid?: string });

const ALGORITHMS: Record<string, EcKeyImportParams | RsaHashedImportParams | Algorithm> = {
  ES256: { name: 'ECDSA', namedCurve: 'P-256' },
  RS256: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
  PS256: { name: 'RSA-PSS', hash: 'SHA-256' },
  Ed25519: { name: 'Ed25519' },
  // As RFC 8037 writes it.
  EdDSA: { name: 'Ed25519' },
};

/** Imports a key for signing. @throws TypeError with code `ERR_AUTH_ARGUMENT` for a key that cannot sign. */
export async function importClientKey(key: ClientKey): Promise<CryptoKey> {
  const { alg = '' } = key as JsonWebKey;
  try {
    const own = isCryptoKey(key) ? key : await importJwk(key, alg);
    if (own.type === 'private') return own;
  } catch {
    // Without the cause: a platform may repeat the key in it.
  }
  throw codedTypeError(
    'ERR_AUTH_ARGUMENT',
    `This is not a private key for signing. Give a CryptoKey or a JWK whose alg is one of ${Object.keys(ALGORITHMS).join(', ')}.`,
  );
}

function isCryptoKey(key: ClientKey): key is CryptoKey {
  return 'algorithm' in key;
}

async function importJwk(key: JsonWebKey, alg: string): Promise<CryptoKey> {
  // The declared uses of an exported key, such as `sign` and `verify`, may be more than a private key supports.
  const { key_ops: _operations, use: _use, ...rest } = key;
  // It refuses an unknown algorithm.
  return crypto.subtle.importKey('jwk', rest, ALGORITHMS[alg] as Algorithm, false, ['sign']);
}
