import { provideDigest } from './native-crypto.ts';

// React Native has no digests. Ours are loaded when they are needed.
provideDigest(async (algorithm, data) => (await import('./js-digest.ts')).jsDigest(algorithm, data));

export * from './index.ts';
export { registerCrypto } from './native-crypto.ts';
export type { CryptoSource } from './native-crypto.ts';
