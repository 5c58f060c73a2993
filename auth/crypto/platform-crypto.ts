import { unavailable } from './coded-error.ts';

/** The platform's source of random numbers. There is no fallback: a guessable number is worse than none. */
export function platformRandom(): Crypto {
  const { crypto } = globalThis as { crypto?: Crypto };
  if (typeof crypto?.getRandomValues !== 'function') {
    throw unavailable(
      'This platform has no crypto.getRandomValues, which random numbers need. In React Native, import a package that ' +
        'provides it first.',
    );
  }
  return crypto;
}

/** The platform's digests. */
export function platformDigests(): SubtleCrypto {
  const { crypto } = globalThis as { crypto?: Partial<Crypto> };
  if (!crypto?.subtle) {
    throw unavailable(
      'This platform has no crypto.subtle, which digests need. In a browser, serve the page over https or from localhost.',
    );
  }
  return crypto.subtle;
}
