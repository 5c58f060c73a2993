import assert from 'node:assert/strict';

/** A request and the answer it must get. */
export interface Exchange {
  /** Default: `GET`. */
  method?: string;
  path: string;
  /** Request headers. */
  sends?: Record<string, string>;
  /** Request body, sent as JSON. */
  json?: unknown;
  status: number;
  /** Response headers, by name in lower case. Other headers are allowed. */
  headers?: Record<string, string>;
  /** Response body: text, or the value of its JSON. */
  body: unknown;
}

/** The answers of the exported example. No request here changes its state. */
export const helloExchanges: readonly Exchange[] = [
  { path: '/todos/read', status: 200, body: { id: 'read', title: 'Read app/todos+api.ts', done: true } },
  {
    method: 'PATCH',
    path: '/todos/change',
    json: { done: false },
    status: 200,
    body: { id: 'change', title: 'Change it, export, and serve again', done: false },
  },
  {
    method: 'POST',
    path: '/todos',
    json: { title: 7 },
    status: 422,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: { error: 'The todo is not valid.', fields: { title: 'Must be text of 1 to 200 characters.' } },
  },
  { path: '/todos/none', status: 404, body: { error: 'Unknown todo: none.' } },
  { method: 'PUT', path: '/todos', status: 405, headers: { allow: 'GET, POST' }, body: 'Method not allowed' },
  {
    path: '/admin/audit/',
    status: 401,
    headers: { 'cache-control': 'no-store' },
    body: { error: 'Sign in first: POST /session.' },
  },
  {
    path: '/countdown?from=1&everyMs=10',
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: 'data: 1\n\ndata: 0\n\n',
  },
  { path: '/nothing', status: 404, body: 'Not found' },
];

/** The answers of the conformance suite's exported app that depend most on modules. */
export const fixtureExchanges: readonly Exchange[] = [
  {
    path: '/bundle/dependencies',
    status: 200,
    body: {
      esm: 'Hello, route',
      cjs: ['ROUTE!', 'object'],
      dynamic: 'loaded later',
      builtin: 'b.txt',
      mood: 'calm',
    },
  },
  {
    path: '/bundle/own-file',
    status: 200,
    body: { file: 'own-file+api.js', readable: true, required: 'function' },
  },
  {
    path: '/context/copies',
    sends: { origin: 'https://shop.example' },
    status: 200,
    headers: { 'x-copy': 'yes' },
    body: { same: false, origin: ['https://shop.example', 'https://shop.example'] },
  },
  { method: 'POST', path: '/context/copies', status: 418, body: { error: 'thrown by the other copy' } },
  {
    path: '/cookies/several',
    status: 200,
    headers: { 'set-cookie': 'a=1; Path=/, b=2; Expires=Wed, 21 Oct 2032 07:28:00 GMT; Secure, c=3; HttpOnly' },
    body: 'cookies',
  },
  {
    path: '/params/caf%C3%A9/rest/b%20c/d',
    status: 200,
    body: { route: 'params/[first]/rest/[...rest]', params: { first: 'café', rest: 'b c/d' } },
  },
  { path: '/middleware?middleware=error', status: 500, body: 'Internal server error' },
  { path: '/stream/text', status: 200, body: 'one two three' },
  { path: '/unicode/caf%C3%A9', status: 200, body: { route: 'unicode/café', params: {} } },
];

/** Sends each request to a server. Throws, with the difference, when an answer is not the expected one. */
export async function checkExchanges(origin: string, exchanges: readonly Exchange[]): Promise<void> {
  for (const { method = 'GET', path, sends, json, ...expected } of exchanges) {
    const response = await fetch(origin + path, {
      method,
      headers: { ...sends, ...(json !== undefined && { 'content-type': 'application/json' }) },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    const names = Object.keys(expected.headers ?? {});
    const answer = {
      status: response.status,
      headers: Object.fromEntries(names.map((name) => [name, response.headers.get(name)])),
      body: typeof expected.body === 'string' ? text : (JSON.parse(text) as unknown),
    };
    // The request is part of both, so that the difference says which request failed.
    const request = `${method} ${response.url}`;
    assert.deepEqual({ request, ...answer }, { request, headers: {}, ...expected });
  }
}
