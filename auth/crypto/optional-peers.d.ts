/** The used parts of packages that an app may have. They are not installed here. */

declare module 'expo-crypto' {
  export function digest(algorithm: string, data: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer>;
  export function getRandomValues(values: Uint8Array<ArrayBuffer>): unknown;
}
