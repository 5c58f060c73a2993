import { CryptoDigestAlgorithm, digest } from 'appkit-crypto';

/** Base64 for URLs, without padding (RFC 4648 section 5). */
export function toBase64Url(bytes: Uint8Array): string {
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/**
 * Returns the SHA-256 digest of a text, in Base64 for URLs.
 *
 * @throws Error with code `ERR_CRYPTO_UNAVAILABLE` on a page that was not loaded over https or from localhost.
 */
export async function digestToBase64Url(text: string): Promise<string> {
  return toBase64Url(new Uint8Array(await digest(CryptoDigestAlgorithm.SHA256, new TextEncoder().encode(text))));
}
