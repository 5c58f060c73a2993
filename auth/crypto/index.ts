export { digest, digestStringAsync } from './digest.ts';
export type { DigestOptions } from './digest.ts';
export { CryptoDigestAlgorithm, CryptoEncoding } from './digest-options.ts';
export { getRandomBytes, getRandomBytesAsync, getRandomValues, randomUUID } from './random.ts';
export type { IntegerArray } from './random.ts';
