import { createHash } from 'node:crypto';
import type { Server } from './server.ts';

/** Bytes that look random and are the same in every run with the same seed. */
export function randomBytes({ seed }: Server, size: number): Buffer {
  return createHash('shake256', { outputLength: size }).update(String(seed)).digest();
}
