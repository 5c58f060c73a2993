import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { startDraining } from '../../runtime/draining.ts';
import { toSentResponse } from './sent-response.ts';

it('removes the headers that control the framing, and changes nothing else', async () => {
  const headers = { 'keep-alive': 'timeout=5', 'transfer-encoding': 'gzip', 'content-length': '4', 'x-a': 'b' };
  const given = toSentResponse(new Response('text', { status: 299, statusText: 'Fine', headers }));
  expect([given.status, given.statusText, await given.text()]).toEqual([299, 'Fine', 'text']);
  expect([...given.headers]).toEqual([
    ['cache-control', 'private, no-cache'],
    ['content-length', '4'],
    ['content-type', 'text/plain;charset=UTF-8'],
    ['x-a', 'b'],
  ]);
});

it('removes the length only from a 204', () => {
  const lengthOf = (status: number): string | null =>
    toSentResponse(new Response(null, { status, headers: { 'content-length': '5' } })).headers.get('content-length');
  expect([204, 304, 200].map(lengthOf)).toEqual([null, '5', '5']);
});

it('returns the same object if nothing has to go', () => {
  const response = new Response('text', { headers: { connection: 'close' } });
  expect(toSentResponse(response)).toBe(response);
});

it('ends the connection after the answer once the server has been told to stop', () => {
  onTestFinished(() => void Reflect.deleteProperty(globalThis, Symbol.for('appkit.draining')));
  const connectionOf = (headers: Record<string, string>): string | null =>
    toSentResponse(new Response('text', { headers })).headers.get('connection');
  expect(connectionOf({})).toBe(null);
  startDraining();
  expect([connectionOf({}), connectionOf({ connection: 'keep-alive', 'x-a': 'b' })]).toEqual(['close', 'close']);
  const redirect = Response.redirect('http://app.test/'); // its headers cannot be changed
  expect(Object.fromEntries(toSentResponse(redirect).headers)).toMatchObject({
    connection: 'close',
    location: 'http://app.test/',
  });
});

it('changes a response in place, or a copy if that cannot be changed', () => {
  const headers = { connection: 'keep-alive', 'x-a': 'b' };
  const response = new Response('text', { headers });
  expect(toSentResponse(response)).toBe(response);
  expect([...response.headers.keys()]).toEqual(['cache-control', 'content-type', 'x-a']);
  const fixed = new Response('text', { headers });
  Object.defineProperty(fixed.headers, 'delete', {
    value() {
      throw new TypeError('immutable');
    },
  });
  const copy = toSentResponse(fixed);
  expect([copy === fixed, copy.headers.has('connection'), copy.headers.get('x-a')]).toEqual([false, false, 'b']);
});

it('refuses a header that cannot be sent', () => {
  for (const name of ['x-name', 'content-type']) {
    const response = new Response(null, { headers: { [name]: 'a\x7fb' } });
    expect(() => toSentResponse(response)).toThrow(`The response header "${name}" has a control character`);
  }
});

it('marks an answer that says nothing about caches as personal, in place', () => {
  const response = new Response('text', { headers: { etag: '"1"' } });
  expect(toSentResponse(response)).toBe(response);
  expect(response.headers.get('cache-control')).toBe('private, no-cache');
});

it.each([
  [200, { 'cache-control': 'public' }, 'public'],
  [200, { expires: '0' }, null],
  [304, {}, null],
])('leaves a %d with %o', (status, headers: Record<string, string>, cacheControl) => {
  const response = toSentResponse(new Response(null, { status, headers }));
  expect(response.headers.get('cache-control')).toBe(cacheControl);
});

it('copies a response of fetch(), whose headers cannot be changed', async () => {
  const server = createServer((_, response) => void response.writeHead(203, 'Fine', { 'x-a': 'b' }).end('text'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const fetched = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const { status, statusText, headers, body } = toSentResponse(fetched);
  expect([status, statusText, headers.get('x-a'), headers.get('cache-control')]).toEqual([
    203,
    'Fine',
    'b',
    'private, no-cache',
  ]);
  expect(await new Response(body).text()).toBe('text');
});
