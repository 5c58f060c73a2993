import { getRandomBytes } from 'appkit-crypto';
import { toBase64Url } from './base64-url.ts';

/**
 * Returns 256 random bits as 43 characters that need no encoding in a URL: enough for a state, nonce or code verifier.
 *
 * @throws Error with code `ERR_CRYPTO_UNAVAILABLE` without a secure source.
 * @see RFC 7636 section 7.1, RFC 6749 section 10.10
 */
export function randomText(): string {
  return toBase64Url(getRandomBytes(32));
}
