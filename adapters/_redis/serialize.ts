import { Buffer } from 'node:buffer';
import type { Kept } from '../_cache/kept-answer.ts';

/** What is kept, as a text. */
export function serialize(kept: Kept): string {
  return JSON.stringify('body' in kept ? { ...kept, body: Buffer.from(kept.body).toString('base64') } : kept);
}

/** What {@link serialize} has made a text of. */
export function deserialize(text: string): Kept {
  const kept = JSON.parse(text) as Kept & { body?: string }; // the store has written it
  // With memory of its own: a small Buffer shares it with others, and would hold on to all of it.
  return typeof kept.body === 'string' ? { ...kept, body: new Uint8Array(Buffer.from(kept.body, 'base64')) } : kept;
}
