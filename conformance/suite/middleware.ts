import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import type { Host } from '../host.ts';
import { json } from '../generic/expect-json.ts';

async function sees(host: Host, path: string, method: string = 'GET'): Promise<boolean> {
  const response = await host.send({ path, method });
  return response.header('x-middleware') !== null;
}

behaviour('runs the middleware before the route', 'Route function shapes: Middleware', async (host) => {
  const response = await host.fetch('/middleware', { headers: { 'x-sent': 'yes' } });
  expect(response.headers.get('x-middleware')).toBe('ran');
  expect(response.headers.get('x-own')).toBe('route');
  expect(await json(response)).toEqual({ sent: 'yes' });
});

behaviour('answers with what the middleware returns', 'B15', async (host) => {
  const response = await host.fetch('/middleware?middleware=respond');
  expect(response.status).toBe(203);
  expect(await response.text()).toBe('from middleware');
});

behaviour('gives the middleware the request', 'Route function shapes: Middleware', async (host) => {
  const response = await host.fetch('/middleware?middleware=request', { headers: { 'x-sent': 'yes' } });
  expect(await json(response)).toMatchObject({
    method: 'GET',
    pathname: host.target('/middleware'),
    header: 'yes',
    isRequest: true,
  });
});

behaviour('does not let the middleware change the request', 'B15', async (host) => {
  const response = await host.fetch('/middleware?middleware=request', { headers: { 'x-sent': 'yes' } });
  expect((await json(response)).refusal).toBe('TypeError');
});

behaviour('leaves the body to the route', 'B15', async (host) => {
  const response = await host.fetch('/middleware', { method: 'POST', body: 'for the route' });
  expect(response.headers.get('x-middleware')).toMatch(/^ran/);
  expect(await json(response)).toEqual({ text: 'for the route' });
});

behaviour(
  'refuses each time that the middleware reads the body, which the route has after all',
  'B15',
  async (host) => {
    const response = await host.fetch('/middleware?middleware=read-body', { method: 'POST', body: 'for the route' });
    expect(response.headers.get('x-codes')).toBe('ERR_REQUEST_IMMUTABLE');
    expect(await json(response)).toEqual({ text: 'for the route' });
  },
);

behaviour('runs for a path that no route answers', 'B15', async (host) => {
  expect(await sees(host, '/middleware/no/such/route')).toBe(true);
});

behaviour('runs only for the methods of its matcher', 'B15', async (host) => {
  expect(await sees(host, '/middleware', 'POST')).toBe(true);
  expect(await sees(host, '/middleware', 'PUT')).toBe(false);
});

behaviour('runs only for the patterns of its matcher', 'B15', async (host) => {
  expect(await sees(host, '/guarded')).toBe(true);
  expect(await sees(host, '/hello')).toBe(false);
});

behaviour('matches a parameter in a pattern', 'B15', async (host) => {
  expect(await sees(host, '/guarded/7')).toBe(true);
  expect(await sees(host, '/guarded/deep/er')).toBe(false);
});

behaviour('matches a rest in a pattern', 'B15', async (host) => {
  expect(await sees(host, '/middleware/nested/path')).toBe(true);
});

behaviour('leaves groups out of a pattern', 'B15', async (host) => {
  expect(await sees(host, '/vault')).toBe(true);
});

behaviour('is not evaded by a trailing slash', 'B15, adapters.md case 72', async (host) => {
  expect(await sees(host, '/guarded/')).toBe(true);
  expect(await sees(host, '/guarded/7/')).toBe(true);
  expect(await sees(host, '/vault/')).toBe(true);
});

behaviour('is not evaded by percent-encoding', 'B15, adapters.md case 72', async (host) => {
  expect(await sees(host, '/%67uarded')).toBe(true);
  expect(await sees(host, '/guarded/a%2Fb')).toBe(true);
  expect(await sees(host, '/va%75lt/')).toBe(true);
});

behaviour('is not evaded by dot segments', 'B15, adapters.md case 73', async (host) => {
  expect(await sees(host, '/hello/../guarded')).toBe(true);
  expect(await sees(host, '/./vault')).toBe(true);
  expect(await sees(host, '/hello/%2e%2e/vault')).toBe(true);
});

behaviour('is not evaded by a second slash', 'B15, adapters.md case 72', async (host) => {
  for (const path of ['//guarded', '/guarded//', '//vault']) {
    const response = await host.send({ path });
    expect([path, response.header('x-middleware') !== null || response.status === 404]).toEqual([path, true]);
  }
});

behaviour('is not evaded by an absolute-form target', 'B14, B15', async (host) => {
  const response = await host.send({ target: `http://evil.com${host.target('/vault')}` });
  expect(response.header('x-middleware')).toBe('ran');
});

behaviour('is not evaded by another case', 'B14, B15', async (host) => {
  const response = await host.send({ path: '/Vault' });
  expect(response.status).toBe(404);
});

behaviour('limits the middleware by unstable_settings', 'B15', async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  expect((await server.fetch('/any')).headers.get('x-middleware-url')).not.toBe(null);
  expect((await server.fetch('/any', { method: 'PUT' })).headers.get('x-middleware-url')).toBe(null);
});

behaviour('runs for every path without patterns', 'B15', async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  const response = await server.fetch('/');
  expect(response.status).toBe(404);
  expect(response.headers.get('x-middleware-url')).toBe(`${server.origin}${server.target('/')}`);
});

behaviour('guards HEAD where the matcher guards GET and HEAD answers from GET', 'B1, B15', async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  const response = await server.fetch('/any', { method: 'HEAD' });
  expect(response.headers.get('x-own')).toBe('GET');
  expect(response.headers.get('x-middleware-url')).not.toBe(null);
});
