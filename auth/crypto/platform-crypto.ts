import { unavailable } from './coded-error.ts';

/** Replacements for parts of `crypto` that the platform lacks. Empty except in React Native. */
export const standIn: { getRandomValues?: Crypto['getRandomValues']; subtle?: Pick<SubtleCrypto, 'digest'> } = {};

/** The platform's source of random numbers. There is no fallback: a guessable number is worse than none. */
export function platformRandom(): Pick<Crypto, 'getRandomValues'> & Partial<Pick<Crypto, 'randomUUID'>> {
  const { crypto } = globalThis as { crypto?: Crypto };
  if (typeof crypto?.getRandomValues === 'function') return crypto;
  const { getRandomValues } = standIn;
  if (getRandomValues) return { getRandomValues };
  throw unavailable('This platform has no crypto.getRandomValues, which random numbers need.');
}

/** The platform's digests. */
export function platformDigests(): Pick<SubtleCrypto, 'digest'> {
  const { crypto } = globalThis as { crypto?: Partial<Crypto> };
  const subtle = crypto?.subtle ?? standIn.subtle;
  if (subtle) return subtle;
  throw unavailable(
    'This platform has no crypto.subtle, which digests need. In a browser, serve the page over https or from localhost.',
  );
}
