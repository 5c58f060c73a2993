import { digest } from 'appkit-crypto';
import { toBase64Url } from './base64-url.ts';

const HASHED = { at_hash: 'access token', c_hash: 'code', s_hash: 'state' };

/**
 * Asserts that a claim, if present, is the hash of a value that came with the id_token.
 *
 * @see OpenID Connect Core 1.0 sections 3.1.3.6 and 3.3.2.11; FAPI 1.0 Advanced section 5.1.1 for `s_hash`
 */
export async function assertHash(
  name: keyof typeof HASHED,
  claims: Record<string, unknown>,
  { of: value, alg }: { of: string | undefined; alg: unknown },
): Promise<void> {
  if (value === undefined || claims[name] === undefined) return;
  const bytes = new Uint8Array(await digest(algorithmOf(String(alg)), new TextEncoder().encode(value)));
  if (claims[name] !== toBase64Url(bytes.subarray(0, bytes.length / 2))) {
    throw new Error(`its ${name} is not that of the ${HASHED[name]} that came with it`);
  }
}

function algorithmOf(alg: string): 'SHA-256' | 'SHA-384' | 'SHA-512' {
  const bits = /^(?:EdDSA|Ed25519)$/.test(alg) ? '512' : /(256|384|512)$/.exec(alg)?.[1];
  if (bits === undefined) throw new Error(`no hash belongs to its algorithm`);
  return `SHA-${bits}` as 'SHA-256';
}
