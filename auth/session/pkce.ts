import { digestToBase64Url } from './base64-url.ts';
import { codedTypeError } from './coded-error.ts';
import { randomText } from './random-text.ts';

/** A code verifier with the challenge derived from it. */
export interface Pkce {
  codeVerifier: string;
  codeChallenge: string;
}

/** Creates a code verifier of 256 random bits, and its challenge. */
export async function makePkceAsync(): Promise<Pkce> {
  const codeVerifier = randomText();
  return { codeVerifier, codeChallenge: await deriveChallengeAsync(codeVerifier) };
}

/**
 * Derives the code challenge of a code verifier by the method S256.
 *
 * @throws TypeError for a verifier that does not have 43 to 128 of the characters that the standard allows.
 * @see RFC 7636 sections 4.1 and 4.2
 */
export async function deriveChallengeAsync(codeVerifier: string): Promise<string> {
  if (!/^[\w.~-]{43,128}$/.test(codeVerifier)) {
    throw codedTypeError('ERR_AUTH_ARGUMENT', 'A code verifier has 43 to 128 letters, digits and characters of -._~.');
  }
  return digestToBase64Url(codeVerifier);
}
