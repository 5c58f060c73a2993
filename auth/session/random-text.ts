import { getRandomBytes } from 'appkit-crypto';

/**
 * Gives 256 random bits as 43 characters that need no encoding in a URL: enough for a state, nonce or code verifier.
 *
 * @throws Error with code `ERR_CRYPTO_UNAVAILABLE` where there is no secure source.
 * @see RFC 7636 section 7.1, RFC 6749 section 10.10
 */
export function randomText(): string {
  return toBase64Url(btoa(String.fromCharCode(...getRandomBytes(32))));
}

/** Base64 as URLs carry it (RFC 4648 section 5), without padding. */
export function toBase64Url(base64: string): string {
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
