import { createHash } from 'node:crypto';

/** A UUID that is the same for the same values. */
export function toUuid(...things: unknown[]): string {
  const digest = createHash('sha256').update(JSON.stringify(things)).digest();
  // Version 8 of RFC 9562, whose content an application may choose.
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x80;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  const hex = digest.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}
