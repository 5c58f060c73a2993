import { expect, it } from 'vitest';
import { createRequest, isForbiddenMethod } from './create-request.ts';

it.each(['CONNECT', 'TRACE', 'track'])('makes a request of the method %s, which the constructor refuses', (method) => {
  const init = { method, headers: { 'x-a': '1' }, body: 'x', duplex: 'half' } as const;
  expect(isForbiddenMethod(method)).toBe(true);
  const request = createRequest('http://app.test/x', init);
  expect([request.method, request.url, request.headers.get('x-a'), request.body]).toEqual([
    method,
    'http://app.test/x',
    '1',
    null,
  ]);
});

it.each(['GET', 'POST', 'RETRACE', 'TRACES'])('leaves %s to the constructor', async (method) => {
  expect(isForbiddenMethod(method)).toBe(false);
  expect(createRequest('http://app.test/', { method, duplex: 'half' }).method).toBe(method);
});
