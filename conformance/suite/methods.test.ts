import { expect } from 'vitest';
import { behaviour } from '../behaviour.ts';

const shapes = 'Route function shapes: Handler names';

behaviour('runs GET', shapes, async (host) => {
  expect(await (await host.fetch('/methods/all')).text()).toBe('GET');
});

behaviour('runs POST', shapes, async (host) => {
  expect(await (await host.fetch('/methods/all', { method: 'POST' })).text()).toBe('POST');
});

behaviour('runs PUT', shapes, async (host) => {
  expect(await (await host.fetch('/methods/all', { method: 'PUT' })).text()).toBe('PUT');
});

behaviour('runs PATCH', shapes, async (host) => {
  expect(await (await host.fetch('/methods/all', { method: 'PATCH' })).text()).toBe('PATCH');
});

behaviour('runs DELETE', shapes, async (host) => {
  expect(await (await host.fetch('/methods/all', { method: 'DELETE' })).text()).toBe('DELETE');
});

behaviour('runs HEAD', shapes, async (host) => {
  const response = await host.fetch('/methods/all', { method: 'HEAD' });
  expect(response.status).toBe(200);
  expect(response.headers.get('x-method')).toBe('HEAD');
});

behaviour('runs OPTIONS', shapes, async (host) => {
  expect(await (await host.fetch('/methods/all', { method: 'OPTIONS' })).text()).toBe('OPTIONS');
});

behaviour('awaits any promise-like result', 'Route function shapes: Handler result', async (host) => {
  expect(await (await host.fetch('/methods/thenable')).text()).toBe('thenable');
});

behaviour(
  'answers 405 with Allow to a method the route does not export',
  'Server routes: Method, Errors, B1',
  async (host) => {
    const response = await host.send({
      method: 'POST',
      path: '/methods/get',
      headers: [['Content-Length', '1']],
      body: 'x',
    });
    expect(response.status).toBe(405);
    expect(response.header('content-type')).toMatch(/^text\/plain/);
    expect(response.header('allow')).toBe('GET');
    expect(response.body.toString()).toBe('Method not allowed');
  },
);

behaviour('lists every exported method in Allow', 'B1, RFC 9110 section 10.2.1', async (host) => {
  const response = await host.fetch('/methods/write');
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')?.split(', ').toSorted()).toEqual(['DELETE', 'POST']);
});

behaviour('answers 405 without a body to HEAD on a route that exports only GET', 'B1', async (host) => {
  const connection = await host.connect();
  await connection.write({ method: 'HEAD', target: host.target('/methods/get'), headers: [host.hostHeader] });
  const response = await connection.response('HEAD');
  expect(response.status).toBe(405);
  expect(response.header('allow')).toBe('GET');
  // a second exchange on the connection fails to parse when a body followed the first
  await connection.write({ target: host.target('/hello'), headers: [host.hostHeader] });
  expect((await connection.response()).status).toBe(200);
  connection.destroy();
});

behaviour('answers 405 to OPTIONS on a route that exports only GET', 'B1', async (host) => {
  const response = await host.fetch('/methods/get', { method: 'OPTIONS' });
  expect(response.status).toBe(405);
  expect(response.headers.get('allow')).toBe('GET');
});

behaviour('answers 405 to TRACE', 'B1, adapters.md case 79', async (host) => {
  const response = await host.send({ method: 'TRACE', path: '/methods/get' });
  expect(response.status).toBe(405);
  expect(response.header('allow')).toBe('GET');
});

behaviour('answers 405 to a method of another protocol', 'adapters.md case 79', async (host) => {
  const response = await host.send({ method: 'PROPFIND', path: '/methods/get' });
  expect(response.status).toBe(405);
});

behaviour('survives a method with the name of a property of every object', 'B1', async (host) => {
  const response = await host.send({ method: 'constructor', path: '/methods/get' }).catch(() => null);
  expect([400, 405, 501]).toContain(response?.status ?? 400);
  expect((await host.fetch('/hello')).status).toBe(200);
});

behaviour('survives CONNECT', 'adapters.md case 69', async (host) => {
  const connection = await host.connect();
  await connection.write({
    method: 'CONNECT',
    target: 'elsewhere.test:443',
    headers: [['Host', 'elsewhere.test:443']],
  });
  const answer = await connection.head().catch(() => null);
  expect(answer?.status ?? 400).toBeGreaterThanOrEqual(400);
  connection.destroy();
  expect((await host.fetch('/hello')).status).toBe(200);
});

behaviour('survives OPTIONS *', 'adapters.md case 68, RFC 9112 section 3.2.4', async (host) => {
  const response = await host.send({ method: 'OPTIONS', target: '*' });
  expect(response.status).toBeLessThan(500);
  expect((await host.fetch('/hello')).status).toBe(200);
});

behaviour('answers a request that offers an upgrade as if it did not', 'adapters.md case 69', async (host) => {
  const response = await host.send({
    path: '/hello',
    headers: [
      ['Connection', 'Upgrade'],
      ['Upgrade', 'unknown/1'],
    ],
  });
  expect(response.status).toBe(200);
});
