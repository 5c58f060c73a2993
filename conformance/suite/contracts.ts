import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import { withOptions } from '../configurations.ts';
import type { Host } from '../host.ts';
import { json } from '../generic/expect-json.ts';

const source = 'RFC 9457, Standard Schema';
const jsonType = { 'content-type': 'application/json' };

interface Problem {
  type: string;
  title: string;
  status: number;
  errors: { in: string; pointer: string; detail: string }[];
}

async function problem(response: Response): Promise<Problem> {
  expect(response.headers.get('content-type')).toBe('application/problem+json');
  return (await response.json()) as Problem;
}

async function post(host: Host, path: string, value: unknown): Promise<Response> {
  return host.fetch(path, { method: 'POST', body: JSON.stringify(value), headers: jsonType });
}

behaviour('gives a handler with a contract each part of the request as its schema does', source, async (host) => {
  const response = await host.fetch('/contracts/7?tag=a&unknown=1', {
    method: 'PUT',
    body: JSON.stringify({ title: 'żółw', more: true }),
    headers: { ...jsonType, 'X-Version': '2' },
  });
  expect(await json(response)).toEqual({
    path: { id: 7 },
    query: { draft: 'no', tag: 'a' },
    version: '2',
    body: { title: 'żółw', lines: [] },
    method: 'PUT',
  });
});

behaviour('answers 400 with the problems of all parts of the request', source, async (host) => {
  const init = { method: 'PUT', body: '{"title":"","lines":["a",1]}', headers: jsonType };
  const response = await host.fetch('/contracts/x?draft=perhaps', init);
  expect(response.status).toBe(400);
  const { errors, ...rest } = await problem(response);
  expect(rest).toMatchObject({ type: 'about:blank', title: 'Bad Request', status: 400 });
  expect(errors.map((error) => `${error.in} ${error.pointer}`)).toEqual([
    'path #/id',
    'query #/draft',
    'query #/tag',
    'header #/x-version',
    'body #/title',
    'body #/lines/1',
  ]);
});

behaviour('answers 400 to a body that is not JSON, and does not repeat it', source, async (host) => {
  const init = { method: 'POST', body: '{"title": password', headers: jsonType };
  const response = await host.fetch('/contracts/7', init);
  expect(response.status).toBe(400);
  const { errors } = await problem(response);
  expect(errors).toEqual([{ in: 'body', pointer: '#', detail: 'The body is not valid JSON.' }]);
});

behaviour(
  'answers 415 to a body of another media type, with those it takes',
  'RFC 9110 section 15.5.16',
  async (host) => {
    const init = { method: 'POST', body: '{"title":"a"}', headers: { 'content-type': 'text/plain' } };
    const response = await host.fetch('/contracts/7', init);
    expect(response.status).toBe(415);
    expect(response.headers.get('accept')).toContain('application/json');
    expect(await problem(response)).toMatchObject({ title: 'Unsupported Media Type', status: 415 });
  },
);

behaviour('gives text to a contract for text, also from another route', source, async (host) => {
  const init = { method: 'POST', body: 'é', headers: { 'content-type': 'text/plain' } };
  expect(await json(await host.fetch('/contracts/text', init))).toEqual({ text: 'é' });
  expect(await json(await host.fetch('/contracts/asks', { ...init, method: 'PUT' }))).toEqual({
    status: 200,
    answer: { text: 'é' },
  });
});

behaviour('gives the fields of a form to a contract, those that are repeated as lists', source, async (host) => {
  const send = (body: string): Promise<Response> =>
    host.fetch('/contracts/form', { method: 'POST', body: new URLSearchParams(body) });
  expect(await json(await send('line=one'))).toEqual({ line: 'one' });
  expect(await json(await send('line=one&line=two+2&line=%C5%BC'))).toEqual({ line: ['one', 'two 2', 'ż'] });
});

behaviour('gives the files of a form to a contract', 'RFC 7578', async (host) => {
  const body = new FormData();
  body.append('note', 'with a file');
  // Bun (1.4) derives the type from the name.
  body.append('file', new File(['żółw'], 'turtle.png', { type: 'image/png' }));
  expect(await json(await host.fetch('/contracts/form', { method: 'PUT', body }))).toEqual({
    note: 'with a file',
    type: 'image/png',
    text: 'żółw',
  });
});

behaviour('gives repeated names of the query to a contract as a list', source, async (host) => {
  const init = { method: 'PUT', body: '{"title":"a"}', headers: { ...jsonType, 'x-version': '2' } };
  const { query } = await json(await host.fetch('/contracts/7?tag=b&tag=a&tag=%2B', init));
  expect(query).toEqual({ draft: 'no', tag: ['b', 'a', '+'] });
});

behaviour('gives an empty body to a contract as none', source, async (host) => {
  const allowed = await host.fetch('/contracts/7', { method: 'POST' });
  expect([allowed.status, await allowed.json()]).toEqual([201, { id: 7, title: 'untitled' }]);
  const refused = await host.fetch('/contracts/form', { method: 'PUT', headers: jsonType });
  expect(refused.status).toBe(400);
  expect((await problem(refused)).errors).toMatchObject([{ in: 'body', pointer: '#' }]);
});

behaviour('sends what a handler returns as the schema of its output gives it', source, async (host) => {
  const response = await post(host, '/contracts/7', { title: 'a' });
  expect(response.status).toBe(201);
  expect(response.headers.get('content-type')).toContain('application/json');
  expect(await response.json()).toEqual({ id: 7, title: 'a' });
});

behaviour('sends a Response of a handler with a contract as it is', source, async (host) => {
  const response = await post(host, '/contracts/7', { title: 'taken' });
  expect([response.status, await response.json()]).toEqual([409, { error: 'taken' }]);
});

behaviour(
  'answers 500 when a handler returns what its output does not allow',
  { source, needs: 'plainErrors' },
  async (host) => {
    const server = await host.configured();
    const response = await server.fetch('/contracts/7', { method: 'PATCH' });
    expect([response.status, await response.text()]).toEqual([500, 'Internal server error']);
    await server.waitForOutput(
      /PATCH \S*\/contracts\/7 returned what the output of its contract does not allow \(#\/title: /,
    );
  },
);

behaviour('keeps the 413 of a body that is too large for a contract', 'RFC 9110 section 15.5.14', async (host) => {
  const server = await host.configured(withOptions);
  const response = await server.send({
    method: 'POST',
    path: '/contracts/7',
    headers: [
      ['Transfer-Encoding', 'chunked'],
      // express.json() leaves it alone.
      ['Content-Type', 'application/merge-patch+json'],
    ],
    body: `3e9\r\n{"title":"${'x'.repeat(989)}"}\r\n0\r\n\r\n`,
  });
  expect(response.status).toBe(413);
  expect(JSON.parse(response.body.toString())).toEqual({ error: 'Content Too Large' });
});

behaviour('answers a route that sends an object to another that has a contract', 'fetchRoute', async (host) => {
  expect(await json(await post(host, '/contracts/asks', { title: 'asked' }))).toEqual({
    status: 201,
    answer: { id: 7, title: 'asked' },
  });
  expect(await json(await post(host, '/contracts/asks', { title: 1 }))).toMatchObject({
    status: 400,
    answer: { errors: [{ in: 'body', pointer: '#/title' }] },
  });
});
