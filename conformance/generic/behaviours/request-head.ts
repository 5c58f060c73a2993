import { behaviour } from '../behaviour.ts';
import { expect } from '../expect.ts';
import type { Server } from '../server.ts';
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

async function described(server: Server, path: string, init?: RequestInit): Promise<Described> {
  return json<Described>(await server.fetch(path, init));
}

function read(response: RawResponse): Described {
  expect(response.status, response.body.toString()).toBe(200);
  return JSON.parse(response.body.toString()) as Described;
}

behaviour('gives the route the method', { standard: 'RFC 9110 section 9.1' }, async (server) => {
  expect((await described(server, '/request/head', { method: 'POST' })).method).toBe('POST');
});

behaviour('gives the route an absolute URL', { standard: 'RFC 9110 section 7.1' }, async (server) => {
  expect((await described(server, '/request/head?x=1')).url).toBe(
    `${server.origin}${server.target('/request/head?x=1')}`,
  );
});

behaviour('gives the route the query', { standard: 'RFC 9110 section 7.1' }, async (server) => {
  const { query } = await described(server, '/request/head?a=1&a=2&b=x%20y&c=%26&d=caf%C3%A9');
  expect(query).toEqual([
    ['a', '1'],
    ['a', '2'],
    ['b', 'x y'],
    ['c', '&'],
    ['d', 'café'],
  ]);
});

behaviour(
  'keeps the percent-encoding of the URL',
  { standard: 'URL Standard, path percent-encode set' },
  async (server) => {
    const response = await server.send({ path: '/request/%68ead?q=%2F%20%26%41' });
    expect(read(response).url).toBe(`${server.origin}${server.target('/request/%68ead?q=%2F%20%26%41')}`);
  },
);

behaviour(
  'keeps malformed percent-encoding in the query',
  { standard: 'URL Standard, query state' },
  async (server) => {
    const response = await server.send({ path: '/request/head?q=%zz' });
    expect(new URL(read(response).url).search).toBe('?q=%zz');
  },
);

behaviour('gives header names in lower case', { standard: 'Fetch, Headers' }, async (server) => {
  const response = await server.send({ path: '/request/head', headers: [['X-Mixed-Case', 'Value']] });
  expect(read(response).headers).toContainEqual(['x-mixed-case', 'Value']);
});

behaviour('joins header lines of one name', { standard: 'RFC 9110 section 5.3' }, async (server) => {
  const response = await server.send({
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

behaviour('joins Cookie lines with a semicolon', { standard: 'RFC 9113 section 8.2.3' }, async (server) => {
  const response = await server.send({
    path: '/request/head',
    headers: [
      ['Cookie', 'a=1'],
      ['Cookie', 'b=2'],
    ],
  });
  expect(read(response).cookie).toBe('a=1; b=2');
});

behaviour('keeps an empty header value', { standard: 'RFC 9110 section 5.5' }, async (server) => {
  const response = await server.send({ path: '/request/head', headers: [['X-Empty', '']] });
  expect(read(response).headers).toContainEqual(['x-empty', '']);
});

behaviour(
  'keeps the bytes of a header value',
  { standard: 'Fetch, isomorphic decode of header values' },
  async (server) => {
    const response = await server.send({ path: '/request/head', headers: [['X-Bytes', 'caf\u00c3\u00a9']] });
    expect(read(response).headers).toContainEqual(['x-bytes', 'caf\u00c3\u00a9']);
  },
);

behaviour('accepts header names that every object has', { standard: 'RFC 9110 section 5.1' }, async (server) => {
  const response = await server.send({
    path: '/request/head',
    headers: [
      ['__proto__', 'a'],
      ['constructor', 'b'],
    ],
  });
  expect(read(response).headers).toContainEqual(['__proto__', 'a']);
  expect(read(response).headers).toContainEqual(['constructor', 'b']);
});

behaviour('gives a GET no body', { standard: 'Fetch, Request.body' }, async (server) => {
  expect((await described(server, '/request/head')).hasBody).toBe(false);
});

behaviour('gives the route a real Request', { quality: 'libraries check for it' }, async (server) => {
  const init = { method: 'POST', body: 'sent', headers: { 'x-sent': 'yes' } };
  const result = await json(await server.fetch('/request/native', init));
  expect(result).toMatchObject({ isRequest: true, tag: '[object Request]', copied: ['POST', 'yes', 'sent'] });
});

behaviour('gives a Request that can be rewritten', { standard: 'Fetch, new Request()' }, async (server) => {
  const init = { method: 'POST', body: 'sent', headers: { 'x-sent': 'yes' } };
  const result = await json(await server.fetch('/request/native', init));
  expect(result).toMatchObject({
    rewritten: ['http://elsewhere.test/path', 'POST', 'yes', 'sent'],
    changed: [`${server.origin}${server.target('/request/native')}`, 'yes', null, 'sent'],
  });
});
