import { expect, it } from 'vitest';
import { isFraming } from './framing.ts';

it.each(['keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'])(
  '%s is of the connection',
  (name) => expect(isFraming(name)).toBe(true),
);

// Adapters decide on connection and content-length themselves.
it.each(['connection', 'content-length', 'content-type', 'x-te', ''])('"%s" may be of a route', (name) =>
  expect(isFraming(name)).toBe(false),
);
