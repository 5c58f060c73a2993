import { expect, it } from 'vitest';
import { toSendable } from './fetched-response.ts';

function fetched(encoding: string): Response {
  const headers = { 'content-encoding': encoding, 'content-length': '5', 'x-other': 'kept' };
  const response = new Response('decoded', { status: 203, headers });
  // Of fetch() alone.
  Object.defineProperty(response, 'url', { value: 'https://upstream.example/' });
  return response;
}

it.each(['gzip', 'BR', 'x-gzip', 'gzip, zstd'])('removes the coding %s from a decoded response', async (encoding) => {
  const sendable = toSendable(fetched(encoding));
  expect([sendable.status, await sendable.text()]).toEqual([203, 'decoded']);
  expect([...sendable.headers]).toEqual([
    ['content-type', 'text/plain;charset=UTF-8'],
    ['x-other', 'kept'],
  ]);
});

it.each(['compress', 'gzip, compress', ''])('leaves the coding %s, which no platform decodes', (encoding) => {
  const response = fetched(encoding);
  expect(toSendable(response)).toBe(response);
});

it('keeps a coding that a route has applied itself', () => {
  const response = new Response('coded', { headers: { 'content-encoding': 'gzip' } });
  expect(toSendable(response)).toBe(response);
});
