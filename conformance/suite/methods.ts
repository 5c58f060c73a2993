import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';

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
