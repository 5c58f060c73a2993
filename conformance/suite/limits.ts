import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import { withOptions } from '../configurations.ts';
import type { Host } from '../host.ts';

const source = 'adapters.md case 47, RFC 9110 section 15.5.14';
const type = ['Content-Type', 'application/x-conformance'] as const;

behaviour('answers 413 to a Content-Length over the limit', source, async (host) => {
  const server = await host.configured(withOptions);
  const response = await server.send({
    method: 'POST',
    path: '/body/bytes',
    headers: [['Content-Length', '1001'], type],
    body: Buffer.alloc(1001),
  });
  expect(response.status).toBe(413);
  expect(JSON.parse(response.body.toString())).toEqual({ error: 'Content Too Large' });
});

behaviour('answers 413 without waiting for the body', source, async (host) => {
  const server = await host.configured(withOptions);
  const response = await server.send({
    method: 'POST',
    path: '/body/bytes',
    headers: [['Content-Length', '1000000'], type],
  });
  expect(response.status).toBe(413);
});

behaviour('answers 413 to a chunked body over the limit', source, async (host) => {
  const server = await host.configured(withOptions);
  const response = await server.send({
    method: 'POST',
    path: '/body/bytes',
    headers: [['Transfer-Encoding', 'chunked'], type],
    body: `3e9\r\n${'x'.repeat(1001)}\r\n0\r\n\r\n`,
  });
  expect(response.status).toBe(413);
  expect(JSON.parse(response.body.toString())).toEqual({ error: 'Content Too Large' });
});

behaviour('answers 413 to a chunked body over the limit that is read as a stream', source, async (host) => {
  const server = await host.configured(withOptions);
  const response = await server.send({
    method: 'PUT',
    path: '/body/bytes',
    headers: [['Transfer-Encoding', 'chunked'], type],
    body: `1f4\r\n${'x'.repeat(500)}\r\n1f5\r\n${'x'.repeat(501)}\r\n0\r\n\r\n`,
  });
  expect(response.status).toBe(413);
});

behaviour('takes a body of exactly the limit', source, async (host) => {
  const server = await host.configured(withOptions);
  const init = { method: 'POST', body: Buffer.alloc(1000), headers: [[...type]] as [string, string][] };
  expect(await (await server.fetch('/body/bytes', init)).json()).toMatchObject({ length: 1000 });
});

behaviour('answers further requests after a 413', source, async (host) => {
  const server = await host.configured(withOptions);
  const connection = await server.connect();
  await connection.write({
    method: 'POST',
    target: server.target('/body/bytes'),
    headers: [server.hostHeader, ['Content-Length', '2000'], type],
    body: Buffer.alloc(2000),
  });
  const refused = await connection.response();
  expect(refused.status).toBe(413);
  if (refused.header('connection') !== 'close') {
    await connection.write({ target: server.target('/hello'), headers: [server.hostHeader] });
    expect((await connection.response()).status).toBe(200);
  }
  connection.destroy();
  expect((await server.fetch('/hello')).status).toBe(200);
});

behaviour('refuses a body over 128 MiB by default', 'adapters.md case 47', async (host) => {
  const length = String(128 * 1024 * 1024 + 1);
  const response = await host.send({
    method: 'POST',
    path: '/body/bytes',
    headers: [['Content-Length', length], type],
  });
  expect(response.status).toBe(413);
});

const ofRoute = 'issue 24, limits per route, RFC 9110 section 15.5.14';

/** The response of a route with a limit of 1000 bytes to a body with or without an announced length. */
async function askLimited(
  host: Host,
  method: string,
  { size, isAnnounced }: { size: number; isAnnounced: boolean },
): Promise<[status: number, answer: unknown]> {
  const half = Math.floor(size / 2);
  const chunks = [half, size - half].map((part) => `${part.toString(16)}\r\n${'x'.repeat(part)}\r\n`).join('');
  const { status, body } = await host.send({
    method,
    path: '/body/limited',
    headers: [isAnnounced ? ['Content-Length', String(size)] : ['Transfer-Encoding', 'chunked'], type],
    body: isAnnounced ? Buffer.alloc(size) : `${chunks}0\r\n\r\n`,
  });
  return [status, JSON.parse(body.toString())];
}

behaviour('answers 413 to a Content-Length over the limit of a route', ofRoute, async (host) => {
  for (const method of ['POST', 'PUT']) {
    const [status, answer] = await askLimited(host, method, { size: 1001, isAnnounced: true });
    expect([method, status, answer]).toEqual([method, 413, { error: 'Content Too Large' }]);
  }
});

behaviour('answers 413 to a chunked body over the limit of a route', ofRoute, async (host) => {
  const [status, answer] = await askLimited(host, 'POST', { size: 1001, isAnnounced: false });
  expect([status, answer]).toEqual([413, { error: 'Content Too Large' }]);
});

behaviour('answers 413 to a chunked body over the limit of a route that reads a stream', ofRoute, async (host) => {
  const [status, answer] = await askLimited(host, 'PUT', { size: 1001, isAnnounced: false });
  expect([status, answer]).toEqual([413, { error: 'Content Too Large' }]);
});

behaviour('takes a body of exactly the limit of a route', ofRoute, async (host) => {
  for (const method of ['POST', 'PUT']) {
    for (const isAnnounced of [true, false]) {
      const [status, answer] = await askLimited(host, method, { size: 1000, isAnnounced });
      expect([method, isAnnounced, status, answer]).toEqual([method, isAnnounced, 200, { length: 1000 }]);
    }
  }
});

behaviour('answers 413 to a form over the limit of a route', ofRoute, async (host) => {
  const ask = async (size: number): Promise<Response> => {
    const form = new FormData();
    form.set('field', 'x'.repeat(size));
    return host.fetch('/body/limited', { method: 'PATCH', body: form });
  };
  expect(await (await ask(100)).json()).toEqual({ length: 100 });
  expect((await ask(1000)).status).toBe(413);
});

behaviour('has no limit of a route on other routes', ofRoute, async (host) => {
  const body = Buffer.alloc(100_000);
  const response = await host.fetch('/body/bytes', { method: 'POST', body, headers: [[...type]] });
  expect(await response.json()).toMatchObject({ length: 100_000 });
});
