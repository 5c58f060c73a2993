import { expect, it } from 'vitest';
import { assertHeaderValue, isFraming } from './framing.ts';

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

it('refuses a header value with a control character, and names the header', () => {
  for (const code of [0, 8, 10, 13, 31, 127]) {
    expect(() => assertHeaderValue('x-name', `a${String.fromCharCode(code)}b`)).toThrow(
      expect.objectContaining({ code: 'ERR_RESPONSE_INVALID', message: expect.stringContaining('"x-name"') }),
    );
  }
  expect(() => assertHeaderValue('x-name', 'a\t b \x80\xff')).not.toThrow();
});

it('counts the length of a 204 as framing, and nothing else of it', () => {
  expect(isFraming('content-length', '5', 204)).toBe(true);
  expect(isFraming('content-length', '5', 304)).toBe(false);
  expect(isFraming('etag', '5', 204)).toBe(false);
});
