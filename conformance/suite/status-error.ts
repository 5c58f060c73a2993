import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import { withOptions } from '../configurations.ts';
import { uniqueId } from '../generic/signals.ts';
import type { Host } from '../host.ts';

async function answerOf(host: Host, kind: string): Promise<[number, unknown]> {
  const response = await host.fetch(`/status-error/${kind}`);
  return [response.status, await response.json()];
}

behaviour('answers a StatusError with its status and a JSON body', 'Errors: StatusError thrown', async (host) => {
  expect(await answerOf(host, 'string')).toEqual([418, { error: 'short and stout' }]);
});

behaviour('sends a StatusError as JSON in UTF-8', 'B3', async (host) => {
  const response = await host.fetch('/status-error/string');
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
});

behaviour('sends a StatusError with its length', 'RFC 9110 section 8.6', async (host) => {
  const response = await host.send({ path: '/status-error/unicode' });
  expect(response.framing).toBe('content-length');
  expect(JSON.parse(response.body.toString())).toEqual({ error: 'zażółć' });
});

behaviour('sends the message of an Error', 'B3', async (host) => {
  expect(await answerOf(host, 'error')).toEqual([502, { error: 'upstream is down' }]);
});

behaviour('sends a JSON object under error', 'B3', async (host) => {
  expect(await answerOf(host, 'object')).toEqual([422, { error: { field: 'name', problems: ['empty'] } }]);
});

behaviour('sends an object with its own error key as it is', 'B3', async (host) => {
  expect(await answerOf(host, 'own-error')).toEqual([422, { error: 'own', code: 7 }]);
});

behaviour('sends a list under error', 'B3', async (host) => {
  expect(await answerOf(host, 'list')).toEqual([400, { error: ['one', 'two'] }]);
});

behaviour('sends a number under error', 'B3', async (host) => {
  expect(await answerOf(host, 'number')).toEqual([400, { error: 42 }]);
});

behaviour('sends false, null and an empty string under error', 'B3', async (host) => {
  expect(await answerOf(host, 'false')).toEqual([400, { error: false }]);
  expect(await answerOf(host, 'null')).toEqual([400, { error: null }]);
  expect(await answerOf(host, 'empty')).toEqual([400, { error: '' }]);
});

behaviour('sends the reason phrase when there is no message', 'B3, RFC 9110 section 15', async (host) => {
  expect(await answerOf(host, 'none')).toEqual([404, { error: 'Not Found' }]);
  expect(await answerOf(host, 'none-413')).toEqual([413, { error: 'Content Too Large' }]);
});

behaviour('sends the message of a StatusError of 500 or more', 'B3', async (host) => {
  expect(await answerOf(host, 'server')).toEqual([503, { error: 'come back later' }]);
});

behaviour('sends headers added before a StatusError', 'B5', async (host) => {
  const response = await host.fetch('/status-error/headers');
  expect(response.status).toBe(429);
  expect(response.headers.get('retry-after')).toBe('120');
});

behaviour('sends no body for a StatusError that answers HEAD', 'RFC 9110 section 9.3.2', async (host) => {
  const connection = await host.connect();
  await connection.write({ method: 'HEAD', target: host.target('/status-error/string'), headers: [host.hostHeader] });
  expect((await connection.response('HEAD')).status).toBe(418);
  await connection.write({ target: host.target('/hello'), headers: [host.hostHeader] });
  expect((await connection.response()).status).toBe(200);
  connection.destroy();
});

behaviour('gives onError a StatusError of 500 or more that has a cause', 'B2, B3', async (host) => {
  const server = await host.configured(withOptions);
  const id = uniqueId();
  const response = await server.fetch(`/status-error/cause?id=${id}`);
  expect([response.status, await response.json()]).toEqual([503, { error: `not now ${id}` }]);
  const [line] = await server.waitForOutput(new RegExp(`onError: .*${id}.*`));
  expect(line).toMatch(new RegExp(`^onError: GET .*: not now ${id}$`));
});

behaviour('answers a StatusError thrown by the middleware', 'Runtime helper library: StatusError', async (host) => {
  const response = await host.fetch('/middleware?middleware=status-error');
  expect([response.status, await response.json()]).toEqual([403, { error: 'not you' }]);
});

behaviour('throws RangeError for a status out of range', 'B3', async (host) => {
  for (const status of [99, 199, 600, 200.5]) {
    const response = await host.fetch(`/status-error/any?status=${status}`, { method: 'POST' });
    const { name, message } = (await response.json()) as { name: string; message: string };
    expect([status, name]).toEqual([status, 'RangeError']);
    expect(message).toContain(String(status));
  }
});

behaviour('throws RangeError for a status that carries no body', 'B3', async (host) => {
  for (const status of [204, 205, 304]) {
    const response = await host.fetch(`/status-error/any?status=${status}`, { method: 'POST' });
    expect(((await response.json()) as { name: string }).name).toBe('RangeError');
  }
});

behaviour('lets a route catch a StatusError as an Error', 'Runtime helper library: StatusError', async (host) => {
  const response = await host.fetch('/status-error/any', { method: 'PUT' });
  expect(await response.json()).toEqual({ isError: true, status: 404, message: 'gone fishing' });
});
