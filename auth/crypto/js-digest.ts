import { sha1 } from '@noble/hashes/legacy.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import type { CryptoDigestAlgorithm } from './digest-options.ts';

const hashes = { 'SHA-1': sha1, 'SHA-256': sha256, 'SHA-384': sha384, 'SHA-512': sha512 };

/** Returns the digest of bytes without the platform's functions. */
export function jsDigest(algorithm: CryptoDigestAlgorithm, data: Uint8Array): ArrayBuffer {
  return new Uint8Array(hashes[algorithm](data)).buffer;
}
