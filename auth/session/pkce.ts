import { CryptoDigestAlgorithm, CryptoEncoding, digestStringAsync } from 'appkit-crypto';
import { codedTypeError } from './coded-error.ts';
import { toBase64Url } from './random-text.ts';

/**
 * Derives the code challenge of a code verifier by the method S256.
 *
 * @throws TypeError for a verifier that is not of 43 to 128 of the characters the standard allows.
 * @see RFC 7636 sections 4.1 and 4.2
 */
export async function deriveChallengeAsync(codeVerifier: string): Promise<string> {
  if (!/^[\w.~-]{43,128}$/.test(codeVerifier)) {
    throw codedTypeError('ERR_AUTH_ARGUMENT', 'A code verifier has 43 to 128 letters, digits and characters of -._~.');
  }
  const options = { encoding: CryptoEncoding.BASE64 };
  return toBase64Url(await digestStringAsync(CryptoDigestAlgorithm.SHA256, codeVerifier, options));
}
