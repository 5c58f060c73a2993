import { Buffer } from 'node:buffer';
import type { Kept } from '../_cache/kept-answer.ts';

/** Turns a kept answer into text. */
export function serialize(kept: Kept): string {
  return JSON.stringify('body' in kept ? { ...kept, body: Buffer.from(kept.body).toString('base64') } : kept);
}

/** Reads the text of {@link serialize}. */
export function deserialize(text: string): Kept {
  const kept = JSON.parse(text) as Kept & { body?: string }; // the store has written it
  // A copy with its own memory: a small Buffer shares memory with others and would keep all of it alive.
  return typeof kept.body === 'string' ? { ...kept, body: new Uint8Array(Buffer.from(kept.body, 'base64')) } : kept;
}
