import { expect } from 'vitest';
import { behaviour } from '../../behaviour.ts';
import type { Host } from '../../host.ts';
import type { RawResponse } from '../raw-http.ts';
import { json } from '../expect-json.ts';

interface Described {
  method: string;
  url: string;
  headers: [string, string][];
  cookie: string | null;
  query: [string, string][];
  hasBody: boolean;
  aborted: boolean;
}

async function described(host: Host, path: string, init?: RequestInit): Promise<Described> {
  return json<Described>(await host.fetch(path, init));
}

function read(response: RawResponse): Described {
  expect(response.status, response.body.toString()).toBe(200);
  return JSON.parse(response.body.toString()) as Described;
}

behaviour('gives the route the method', 'Server routes: Request', async (host) => {
  expect((await described(host, '/request/head', { method: 'POST' })).method).toBe('POST');
});

behaviour('gives the route an absolute URL', 'Server routes: Request', async (host) => {
  expect((await described(host, '/request/head?x=1')).url).toBe(`${host.origin}${host.target('/request/head?x=1')}`);
});

behaviour('gives the route the query', 'Server routes: Request', async (host) => {
  const { query } = await described(host, '/request/head?a=1&a=2&b=x%20y&c=%26&d=caf%C3%A9');
  expect(query).toEqual([
    ['a', '1'],
    ['a', '2'],
    ['b', 'x y'],
    ['c', '&'],
    ['d', 'café'],
  ]);
});

behaviour('keeps the percent-encoding of the URL', 'adapters.md case 71', async (host) => {
  const response = await host.send({ path: '/request/%68ead?q=%2F%20%26%41' });
  expect(read(response).url).toBe(`${host.origin}${host.target('/request/%68ead?q=%2F%20%26%41')}`);
});

behaviour('keeps malformed percent-encoding in the query', 'adapters.md case 70', async (host) => {
  const response = await host.send({ path: '/request/head?q=%zz' });
  expect(new URL(read(response).url).search).toBe('?q=%zz');
});

behaviour('gives header names in lower case', 'adapters.md case 61, Fetch Headers', async (host) => {
  const response = await host.send({ path: '/request/head', headers: [['X-Mixed-Case', 'Value']] });
  expect(read(response).headers).toContainEqual(['x-mixed-case', 'Value']);
});

behaviour('joins header lines of one name', 'adapters.md case 61, RFC 9110 section 5.3', async (host) => {
  const response = await host.send({
    path: '/request/head',
    headers: [
      ['X-List', 'a'],
      ['Accept', 'text/html'],
      ['X-List', 'b, c'],
      ['Accept', 'text/plain'],
    ],
  });
  expect(read(response).headers).toContainEqual(['x-list', 'a, b, c']);
  expect(read(response).headers).toContainEqual(['accept', 'text/html, text/plain']);
});

behaviour('joins Cookie lines with a semicolon', 'adapters.md case 62, RFC 9113 section 8.2.3', async (host) => {
  const response = await host.send({
    path: '/request/head',
    headers: [
      ['Cookie', 'a=1'],
      ['Cookie', 'b=2'],
    ],
  });
  expect(read(response).cookie).toBe('a=1; b=2');
});

behaviour('keeps an empty header value', 'RFC 9110 section 5.5', async (host) => {
  const response = await host.send({ path: '/request/head', headers: [['X-Empty', '']] });
  expect(read(response).headers).toContainEqual(['x-empty', '']);
});

behaviour('keeps the bytes of a header value', 'RFC 9110 section 5.5, Fetch byte strings', async (host) => {
  const response = await host.send({ path: '/request/head', headers: [['X-Bytes', 'caf\u00c3\u00a9']] });
  expect(read(response).headers).toContainEqual(['x-bytes', 'caf\u00c3\u00a9']);
});

behaviour('accepts header names that every object has', 'adapters.md section 1.1', async (host) => {
  const response = await host.send({
    path: '/request/head',
    headers: [
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ],
  });
  expect(read(response).headers).toContainEqual(['__proto__', 'a']);
  expect(read(response).headers).toContainEqual(['constructor', 'b']);
});

behaviour('gives a GET no body', 'Fetch Request.body', async (host) => {
  expect((await described(host, '/request/head')).hasBody).toBe(false);
});

behaviour(
  'gives the route a real Request',
  'adapters.md case 52, Route function shapes: Handler arguments',
  async (host) => {
    const init = { method: 'POST', body: 'sent', headers: { 'x-sent': 'yes' } };
    const result = await json(await host.fetch('/request/native', init));
    expect(result).toMatchObject({ isRequest: true, tag: '[object Request]', copied: ['POST', 'yes', 'sent'] });
  },
);

behaviour('gives a Request that can be rewritten', 'adapters.md case 51', async (host) => {
  const init = { method: 'POST', body: 'sent', headers: { 'x-sent': 'yes' } };
  const result = await json(await host.fetch('/request/native', init));
  expect(result).toMatchObject({
    rewritten: ['http://elsewhere.test/path', 'POST', 'yes', 'sent'],
    changed: [`${host.origin}${host.target('/request/native')}`, 'yes', null, 'sent'],
  });
});
