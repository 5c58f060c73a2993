import { behaviour } from '../behaviour.ts';
import { expect } from '../expect.ts';

behaviour('runs GET', { standard: 'RFC 9110 section 9.1' }, async (server) => {
  expect(await (await server.fetch('/methods/all')).text()).toBe('GET');
});

behaviour('runs POST', { standard: 'RFC 9110 section 9.1' }, async (server) => {
  expect(await (await server.fetch('/methods/all', { method: 'POST' })).text()).toBe('POST');
});

behaviour('runs PUT', { standard: 'RFC 9110 section 9.1' }, async (server) => {
  expect(await (await server.fetch('/methods/all', { method: 'PUT' })).text()).toBe('PUT');
});

behaviour('runs PATCH', { standard: 'RFC 9110 section 9.1' }, async (server) => {
  expect(await (await server.fetch('/methods/all', { method: 'PATCH' })).text()).toBe('PATCH');
});

behaviour('runs DELETE', { standard: 'RFC 9110 section 9.1' }, async (server) => {
  expect(await (await server.fetch('/methods/all', { method: 'DELETE' })).text()).toBe('DELETE');
});

behaviour('runs HEAD', { standard: 'RFC 9110 section 9.1' }, async (server) => {
  const response = await server.fetch('/methods/all', { method: 'HEAD' });
  expect(response.status).toBe(200);
  expect(response.headers.get('x-method')).toBe('HEAD');
});

behaviour('runs OPTIONS', { standard: 'RFC 9110 section 9.1' }, async (server) => {
  expect(await (await server.fetch('/methods/all', { method: 'OPTIONS' })).text()).toBe('OPTIONS');
});

behaviour(
  'survives a method with the name of a property of every object',
  { quality: 'any client can send it' },
  async (server) => {
    const response = await server.send({ method: 'constructor', path: '/methods/get' }).catch(() => null);
    expect([400, 405, 501]).toContain(response?.status ?? 400);
    expect((await server.fetch('/hello')).status).toBe(200);
  },
);

behaviour('survives CONNECT', { quality: 'any client can send it' }, async (server) => {
  const connection = await server.connect();
  await connection.write({
    method: 'CONNECT',
    target: 'elsewhere.test:443',
    headers: [['Host', 'elsewhere.test:443']],
  });
  const answer = await connection.head().catch(() => null);
  expect(answer?.status ?? 400).toBeGreaterThanOrEqual(400);
  connection.destroy();
  expect((await server.fetch('/hello')).status).toBe(200);
});

behaviour('survives OPTIONS *', { quality: 'any client can send it (RFC 9112 section 3.2.4)' }, async (server) => {
  const response = await server.send({ method: 'OPTIONS', target: '*' });
  expect(response.status).toBeLessThan(500);
  expect((await server.fetch('/hello')).status).toBe(200);
});

behaviour(
  'answers a request that offers an upgrade as if it did not',
  { quality: 'clients offer h2c, which a server may ignore (RFC 9110 section 7.8)' },
  async (server) => {
    const response = await server.send({
      path: '/hello',
      headers: [
        ['Connection', 'Upgrade'],
        ['Upgrade', 'unknown/1'],
      ],
    });
    expect(response.status).toBe(200);
  },
);
