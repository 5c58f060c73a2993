import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import { json } from '../generic/expect-json.ts';

behaviour('answers a rewritten path by the route of its destination', 'B16', async (host) => {
  expect(await json(await host.fetch('/shown/7'))).toEqual({ route: 'params/[value]', params: { value: '7' } });
});

behaviour('gives the route the URL that was rewritten', 'B16', async (host) => {
  const head = await json(await host.fetch('/shown/head'));
  expect(head.url).toBe(`${host.origin}${host.target('/request/head?from=config')}`);
});

behaviour('keeps the query of a rewritten path', 'B16', async (host) => {
  const head = await json(await host.fetch('/shown/head?from=me&to=%20you&to'));
  expect(head.query).toEqual([
    ['from', 'config'],
    ['to', ' you'],
    ['to', ''],
  ]);
});

behaviour('keeps a parameter of a rewrite in its segment', 'B16', async (host) => {
  const value = 'a/../b?c#d é%2F';
  const response = await host.fetch(`/shown/${encodeURIComponent(value)}`);
  expect(await json(response)).toEqual({ route: 'params/[value]', params: { value } });
});

behaviour('fills a rest into a rewritten path', 'B16', async (host) => {
  const response = await host.fetch('/shown/a/b%20c/d');
  expect(await json(response)).toEqual({ route: 'rest/[...path]', params: { path: 'a/b c/d' } });
});

behaviour('keeps method, headers and body of a rewritten request', 'B16', async (host) => {
  const text = await host.fetch('/shown/text', { method: 'POST', body: 'rewritten' });
  expect(await json(text)).toEqual({ text: 'rewritten', bodyUsed: true });
  const headers = { 'x-sent': 'yes', cookie: 'a=1; b=2' };
  const head = await json<{ headers: [string, string][] }>(
    await host.fetch('/shown/head', { method: 'POST', headers, body: 'x' }),
  );
  expect(head).toMatchObject({ method: 'POST', cookie: 'a=1; b=2', hasBody: true });
  expect(head.headers).toContainEqual(['x-sent', 'yes']);
});

behaviour('rewrites the methods that a rewrite lists', 'B16', async (host) => {
  expect(await json(await host.fetch('/shown/text'))).toEqual({ route: 'params/[value]', params: { value: 'text' } });
});

behaviour('answers 405 for a rewritten path as for its destination', 'B1, B16', async (host) => {
  const response = await host.fetch('/shown/get', { method: 'DELETE' });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET']);
});

behaviour('rewrites once', 'B16', async (host) => {
  expect((await host.fetch('/shown/chained')).status).toBe(404);
});

behaviour('lets no rewrite around the middleware of its destination', 'B15, B16', async (host) => {
  const response = await host.fetch('/shown/vault');
  expect(await json(response)).toMatchObject({ route: 'vault' });
  expect(response.headers.get('x-middleware')).toBe('ran');
  expect((await host.fetch('/shown/vault?middleware=respond')).status).toBe(203);
});

behaviour('shows the middleware of a destination the URL that was rewritten', 'B15, B16', async (host) => {
  const request = await json(await host.fetch('/shown/vault?middleware=request'));
  expect(request).toMatchObject({ method: 'GET', pathname: host.target('/vault'), isRequest: true });
});

behaviour('asks the middleware of the path that was visited before it rewrites', 'B15, B16', async (host) => {
  const request = await json(await host.fetch('/middleware/shown?middleware=request'));
  expect(request).toMatchObject({ pathname: host.target('/middleware/shown') });
  const response = await host.fetch('/middleware/shown');
  expect(response.headers.get('x-middleware')).toBe('ran');
  expect((await json(response)).url).toBe(`${host.origin}${host.target('/request/head')}`);
});
