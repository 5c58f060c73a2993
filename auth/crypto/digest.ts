import { invalidArgument } from './coded-error.ts';
import { CryptoDigestAlgorithm, CryptoEncoding } from './digest-options.ts';
import { platformDigests } from './platform-crypto.ts';

/** How {@link digestStringAsync} writes its result. */
export interface DigestOptions {
  /** Default: `hex`. */
  encoding?: CryptoEncoding;
}

/**
 * Returns the digest of a string in UTF-8, as text.
 *
 * @returns lower-case hexadecimal, or Base64 with padding.
 * @throws TypeError with code `ERR_CRYPTO` for an unknown algorithm, encoding or something that is not a string; Error with
 *   code `ERR_CRYPTO_UNAVAILABLE` on a page that was not loaded over https or from localhost.
 */
export async function digestStringAsync(
  algorithm: CryptoDigestAlgorithm,
  data: string,
  { encoding = CryptoEncoding.HEX }: DigestOptions = {},
): Promise<string> {
  if (typeof data !== 'string') throw invalidArgument(`digestStringAsync needs a string, not ${typeof data}.`);
  assertOneOf('encoding', encoding, CryptoEncoding);
  const bytes = new Uint8Array(await digest(algorithm, new TextEncoder().encode(data)));
  return encoding === CryptoEncoding.HEX ? toHex(bytes) : toBase64(bytes);
}

/**
 * Returns the digest of bytes.
 *
 * @throws TypeError with code `ERR_CRYPTO` for an unknown algorithm or a value without bytes; Error with code
 *   `ERR_CRYPTO_UNAVAILABLE` as {@link digestStringAsync}.
 */
export async function digest(algorithm: CryptoDigestAlgorithm, data: BufferSource): Promise<ArrayBuffer> {
  assertOneOf('algorithm', algorithm, CryptoDigestAlgorithm);
  if (!ArrayBuffer.isView(data) && !(data instanceof ArrayBuffer)) {
    throw invalidArgument('digest needs an ArrayBuffer or a view of one.');
  }
  return platformDigests().digest(algorithm, data);
}

function assertOneOf(what: string, value: unknown, known: Record<string, string>): void {
  const values = Object.values(known);
  if (!values.some((candidate) => candidate === value)) {
    throw invalidArgument(`There is no ${what} ${JSON.stringify(value)}. Give one of ${values.join(', ')}.`);
  }
}

function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}
