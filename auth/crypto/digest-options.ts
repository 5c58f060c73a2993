/** The digest algorithms that WebCrypto has. */
export const CryptoDigestAlgorithm = {
  SHA1: 'SHA-1',
  SHA256: 'SHA-256',
  SHA384: 'SHA-384',
  SHA512: 'SHA-512',
} as const;
export type CryptoDigestAlgorithm = (typeof CryptoDigestAlgorithm)[keyof typeof CryptoDigestAlgorithm];

/** The text form of a digest: lower-case hexadecimal, or Base64 with padding. */
export const CryptoEncoding = {
  HEX: 'hex',
  BASE64: 'base64',
} as const;
export type CryptoEncoding = (typeof CryptoEncoding)[keyof typeof CryptoEncoding];
