import { invalidArgument } from './coded-error.ts';
import { platformRandom } from './platform-crypto.ts';

/** The arrays that {@link getRandomValues} fills. */
export type IntegerArray =
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array;

/**
 * Returns random bytes from the platform's secure source.
 *
 * @param byteCount – 0 to 1024.
 * @throws TypeError with code `ERR_CRYPTO` for another count; Error with code `ERR_CRYPTO_UNAVAILABLE` where there is no
 *   secure source.
 */
export function getRandomBytes(byteCount: number): Uint8Array<ArrayBuffer> {
  if (!Number.isInteger(byteCount) || byteCount < 0 || byteCount > 1024) {
    throw invalidArgument(
      `getRandomBytes was asked for ${String(byteCount)} bytes. Give a whole number from 0 to 1024.`,
    );
  }
  return platformRandom().getRandomValues(new Uint8Array(byteCount));
}

/** {@link getRandomBytes} as a promise, which rejects where that throws. */
export async function getRandomBytesAsync(byteCount: number): Promise<Uint8Array<ArrayBuffer>> {
  return getRandomBytes(byteCount);
}

/**
 * Fills an array of integers with random values and returns it.
 *
 * @throws TypeError with code `ERR_CRYPTO` for a value that is not an array of integers or has more than 65536 bytes;
 * Error with code
 *   `ERR_CRYPTO_UNAVAILABLE` where there is no secure source.
 */
export function getRandomValues<T extends IntegerArray>(values: T): T {
  if (!ArrayBuffer.isView(values) || !isIntegerArray(values)) {
    throw invalidArgument(
      'getRandomValues needs an array of integers, such as a Uint8Array, but received something else.',
    );
  }
  if (values.byteLength > 65_536) {
    throw invalidArgument(`getRandomValues fills at most 65536 bytes, but received ${values.byteLength}.`);
  }
  // The platform's types exclude arrays over shared memory, which it refuses itself.
  return platformRandom().getRandomValues(values as T & IntegerArray & ArrayBufferView<ArrayBuffer>) as T;
}

/**
 * Returns a random UUID of version 4 in lower case.
 *
 * @throws Error with code `ERR_CRYPTO_UNAVAILABLE` where there is no secure source.
 * @see RFC 9562 section 5.4
 */
export function randomUUID(): string {
  const crypto = platformRandom();
  // Not in a browser on an insecure origin.
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = getRandomBytes(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

// By tag, which a subclass such as Node's Buffer has too.
function isIntegerArray(values: ArrayBufferView): boolean {
  return /^\[object (?:Int|Uint)(?:8|16|32)(?:Clamped)?Array\]$/.test(Object.prototype.toString.call(values));
}
