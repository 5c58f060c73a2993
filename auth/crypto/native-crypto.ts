import { unavailable } from './coded-error.ts';
import type { CryptoDigestAlgorithm } from './digest-options.ts';
import { standIn } from './platform-crypto.ts';

/** Cryptography from a source other than the platform. */
export interface CryptoSource {
  /** Fills an array of bytes with unguessable random values. */
  getRandomValues?(values: Uint8Array<ArrayBuffer>): unknown;
  /** Returns the digest of bytes. */
  digest?(algorithm: CryptoDigestAlgorithm, data: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer>;
}

/**
 * Registers a source of random numbers and digests for platforms where `globalThis.crypto` has none; omitted functions
 * keep their source. Importing `appkit-crypto/adapters/expo` does it for expo-crypto.
 */
export function registerCrypto({ digest, getRandomValues }: CryptoSource): void {
  if (getRandomValues) {
    standIn.getRandomValues = (values) => {
      getRandomValues(toBytes(values as ArrayBufferView<ArrayBuffer>));
      return values;
    };
  }
  if (digest) standIn.subtle = toSubtle(digest);
}

/** The default in an app that has registered nothing: digests, and an error that says what to install. */
export function provideDigest(digest: NonNullable<CryptoSource['digest']>): void {
  standIn.subtle ??= toSubtle(digest);
  standIn.getRandomValues ??= () => {
    throw unavailable(
      'React Native has no secure random numbers of its own. Install expo-crypto and import appkit-crypto/adapters/expo first, ' +
        'or another package that provides crypto.getRandomValues.',
    );
  };
}

function toSubtle(digest: NonNullable<CryptoSource['digest']>): Pick<SubtleCrypto, 'digest'> {
  // The caller has checked the algorithm.
  return { digest: async (algorithm, data) => digest(algorithm as CryptoDigestAlgorithm, toBytes(data)) };
}

/** The bytes of an array or buffer, not a copy of them. */
function toBytes(data: BufferSource): Uint8Array<ArrayBuffer> {
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data);
}
