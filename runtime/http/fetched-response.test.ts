import { expect, it, vi } from 'vitest';
import { toSendable } from './fetched-response.ts';

function fetched(encoding: string): Response {
  const headers = { 'content-encoding': encoding, 'content-length': '5', 'x-other': 'kept' };
  const response = new Response('decoded', { status: 203, headers });
  // Of fetch() alone.
  Object.defineProperty(response, 'url', { value: 'https://upstream.example/' });
  return response;
}

it.each(['gzip', 'BR', 'x-gzip', 'gzip, zstd', 'br, gzip', 'gzip,br', 'gzip , br'])(
  'removes the coding %s from a decoded response',
  async (encoding) => {
    const sendable = toSendable(fetched(encoding));
    expect([sendable.status, await sendable.text()]).toEqual([203, 'decoded']);
    expect([...sendable.headers]).toEqual([
      ['content-type', 'text/plain;charset=UTF-8'],
      ['x-other', 'kept'],
    ]);
  },
);

it.each(['compress', 'gzip, compress', 'compress, gzip', 'compress,gzip', 'gzipped', ''])(
  'leaves the coding %s, which no platform decodes',
  (encoding) => {
    const response = fetched(encoding);
    expect(toSendable(response)).toBe(response);
  },
);

it.each([
  [{ Deno: {} }, ['gzip', 'BR'], ['zstd', 'deflate', 'gzip, br']],
  [{ Bun: {} }, ['gzip', 'zstd'], ['gzip, br']],
  [{ process: { versions: { undici: '7.11.0' } } }, ['zstd', 'gzip, zstd'], []],
  [{ process: { versions: { undici: '8.0.0' } } }, ['zstd'], []],
  [{ process: { versions: { undici: '7.10.0' } } }, ['gzip'], ['zstd']],
  [{ process: { versions: {} } }, ['zstd'], []],
  [{ process: {} }, ['zstd'], []],
  [{ process: undefined }, ['zstd'], []],
  [{ process: { versions: { undici: '6.24.1' } } }, ['gzip', 'deflate, br'], ['zstd', 'gzip, zstd']],
])('knows what %o decodes', (globals, decoded, left) => {
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  const isDecoded = (coding: string): boolean => !toSendable(fetched(coding)).headers.has('content-encoding');
  const found = [...decoded, ...left].filter(isDecoded);
  vi.unstubAllGlobals();
  expect(found).toEqual(decoded);
});

it('keeps a coding that a route has applied itself', () => {
  const response = new Response('coded', { headers: { 'content-encoding': 'gzip' } });
  expect(toSendable(response)).toBe(response);
});
