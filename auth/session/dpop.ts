/** Tokens that only the holder of a key can use: `appkit-auth-session/dpop`. */
import { digestToBase64Url, toBase64Url } from './base64-url.ts';
import { codedTypeError } from './coded-error.ts';
import { randomText } from './random-text.ts';
import type { Answer, KeyProof } from './send.ts';
import { getCurrentTimeInSeconds } from './current-time.ts';

/**
 * A key, and the function that proves that this client has it. Pass it as `dpop` in the options of every call with the
 * tokens.
 */
export interface DPoP extends KeyProof {
  /** Keep it with the tokens: IndexedDB holds keys that no script can read. */
  readonly keyPair: CryptoKeyPair;
  /** Binds the code to the key too: the authorization request's `extraParams.dpop_jkt` (RFC 9449 section 10). */
  readonly thumbprint: string;
}

/**
 * Creates a key, or restores a stored one.
 *
 * @param keyPair – of ECDSA with P-256. Default: a new one, whose private key cannot be read.
 * @throws TypeError with code `ERR_AUTH_PLATFORM` on a page that was not loaded over https or from localhost.
 * @see RFC 9449
 */
export async function createDPoPAsync(keyPair?: CryptoKeyPair): Promise<DPoP> {
  const subtle = (globalThis.crypto as Crypto | undefined)?.subtle as SubtleCrypto | undefined;
  if (!subtle) {
    throw codedTypeError(
      'ERR_AUTH_PLATFORM',
      'This platform has no crypto.subtle, which DPoP needs. In a browser, serve the page over https or from localhost.',
    );
  }
  const keys = keyPair ?? (await subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, ['sign', 'verify']));
  const { crv, kty, x, y } = await subtle.exportKey('jwk', keys.publicKey);
  const jwk = { crv, kty, x, y };
  const header = encode({ alg: 'ES256', typ: 'dpop+jwt', jwk });
  const nonces = new Map<string, string>();
  return {
    keyPair: keys,
    // RFC 7638: the members in this order.
    thumbprint: await digestToBase64Url(JSON.stringify(jwk)),
    async proveAsync({ method, url, accessToken }) {
      const { origin, pathname } = new URL(url);
      const claims = {
        jti: randomText(),
        htm: method.toUpperCase(),
        htu: origin + pathname,
        iat: getCurrentTimeInSeconds(),
        nonce: nonces.get(origin),
        ath: accessToken === undefined ? undefined : await digestToBase64Url(accessToken),
      };
      const text = `${header}.${encode(claims)}`;
      const algorithm = { name: 'ECDSA', hash: 'SHA-256' };
      const signature = await subtle.sign(algorithm, keys.privateKey, new TextEncoder().encode(text));
      return `${text}.${toBase64Url(new Uint8Array(signature))}`;
    },
    readAnswer(url, answer) {
      const { origin } = new URL(url);
      const nonce = answer.headers.get('dpop-nonce');
      if (nonce === null) return false;
      nonces.set(origin, nonce);
      // A known nonce counts too: another answer may have brought it while this proof was on its way.
      return wantsNonce(answer);
    },
  };
}

// RFC 9449 sections 8 and 9.
function wantsNonce({ headers, status, text }: Pick<Answer, 'headers' | 'status' | 'text'>): boolean {
  const said = (headers.get('www-authenticate') ?? '') + text;
  return (status === 400 || status === 401) && said.includes('"use_dpop_nonce"');
}

function encode(value: object): string {
  return toBase64Url(new TextEncoder().encode(JSON.stringify(value)));
}
