import { expect, it } from 'vitest';
import { isFraming } from './framing.ts';

it.each(['keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'])(
  '%s belongs to the connection',
  (name) => expect(isFraming(name, 'x')).toBe(true),
);

// Adapters decide on content-length themselves.
it.each(['content-length', 'content-type', 'x-te', ''])('a route may set "%s"', (name) =>
  expect(isFraming(name, 'x')).toBe(false),
);

it.each(['close', 'Close', 'x-hop, close', 'close,x-hop'])('a route may close the connection: %s', (value) =>
  expect(isFraming('connection', value)).toBe(false),
);

it.each(['keep-alive', 'x-hop', 'x-close', 'close-x', 'upgrade', ''])('a route may not say "connection: %s"', (value) =>
  expect(isFraming('connection', value)).toBe(true),
);

it('counts the length of a 204 as framing, and nothing else of it', () => {
  expect(isFraming('content-length', '5', 204)).toBe(true);
  expect(isFraming('content-length', '5', 304)).toBe(false);
  expect(isFraming('etag', '5', 204)).toBe(false);
});
