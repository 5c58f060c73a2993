import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';

behaviour('adds the headers of the config to an answer', 'B16', async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  const response = await server.fetch('/headers/plain');
  expect([response.status, response.headers.get('x-configured')]).toEqual([200, 'app']);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(await response.text()).toBe('plain');
});

behaviour('adds the headers of the config to a thrown Response and to a StatusError', 'B16', async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  const thrown = await server.fetch('/headers/thrown');
  expect([thrown.status, thrown.headers.get('x-configured')]).toEqual([409, 'app']);
  const error = await server.fetch('/headers/status-error');
  expect([error.status, error.headers.get('x-configured')]).toEqual([418, 'app']);
});

behaviour('adds the headers of the config to 400, 404, 405 and 500', 'B16', async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  const answers: [path: string, status: number][] = [
    ['/%zz', 400],
    ['/', 404],
    ['/post', 405],
    ['/headers/error', 500],
  ];
  for (const [path, status] of answers) {
    const response = await server.send({ path });
    expect([path, response.status, response.header('x-configured')]).toEqual([path, status, 'app']);
  }
});

behaviour('adds the headers of the config to a redirect, a 204 and an answer to HEAD', 'B16', async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  const redirect = await server.fetch('/moved');
  expect([redirect.status, redirect.headers.get('x-configured')]).toEqual([307, 'app']);
  const empty = await server.fetch('/headers/no-content');
  expect([empty.status, empty.headers.get('x-configured')]).toEqual([204, 'app']);
  const head = await server.fetch('/headers/plain', { method: 'HEAD' });
  expect([head.status, head.headers.get('x-configured')]).toEqual([200, 'app']);
});

behaviour("lets the route's own header replace one of the config", 'B16', async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  expect((await server.fetch('/headers/own')).headers.get('x-either')).toBe('route');
  expect((await server.fetch('/headers/plain')).headers.get('x-either')).toBe('configured');
});

behaviour('applies setResponseHeaders to the headers of the config', 'B5, B16', async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  const { headers } = await server.fetch('/headers/helper');
  expect([headers.get('x-either'), headers.get('x-several')]).toEqual(['helper', 'one, two, three']);
});

behaviour('sends every value of a list in the config', 'B16', async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  const { headers } = await server.fetch('/headers/plain');
  expect(headers.get('x-several')).toBe('one, two');
  expect(headers.getSetCookie()).toEqual(['first=1', 'second=2; Path=/']);
});

behaviour("sends the cookies of the config before the route's own", 'B16', async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  const { headers } = await server.fetch('/headers/own');
  expect(headers.getSetCookie()).toEqual(['first=1', 'second=2; Path=/', 'own=1']);
});

behaviour('adds the headers of the config to a page', 'B16, decision 010', async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  for (const path of ['/pages/written', '/pages/rendered']) {
    const page = await server.fetch(path, { headers: { accept: 'text/html' } });
    expect([path, page.status, page.headers.get('x-configured')]).toEqual([path, 200, 'app']);
    expect([page.headers.get('cache-control'), page.headers.get('content-type')]).toEqual([
      'public, max-age=60',
      'text/html; charset=utf-8',
    ]);
    expect(page.headers.getSetCookie()).toEqual(['first=1', 'second=2; Path=/']);
  }
});

behaviour('adds the headers of the config to HEAD, the data and the 304 of a page', 'decision 010', async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  const { headers } = await server.fetch('/pages/written');
  const etag = headers.get('etag') ?? '';
  const answers = [
    await server.send({ path: '/pages/written', headers: [['If-None-Match', etag]] }),
    await server.send({ method: 'HEAD', path: '/pages/written' }),
    await server.send({ path: '/pages/rendered?_appkit_data' }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([304, 200, 200]);
  for (const { header } of answers) {
    expect([header('x-configured'), header('cache-control')]).toEqual(['app', 'public, max-age=60']);
  }
});

behaviour('adds the headers of the config to the page for what nothing answers', 'decision 010', async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  for (const [accept, type] of [
    ['text/html', 'text/html; charset=utf-8'],
    ['application/json', 'text/plain'],
  ] as const) {
    const { status, header } = await server.send({ path: '/', headers: [['Accept', accept]] });
    expect([accept, status, header('content-type')]).toEqual([accept, 404, type]);
    expect([header('x-configured'), header('cache-control')]).toEqual(['app', 'public, max-age=60']);
  }
});

behaviour(
  'keeps Accept in the Vary of the config where it chooses the form',
  'RFC 9110 section 12.5.5',
  async (host) => {
    const server = await host.configured({ app: 'app-catch-all' });
    for (const accept of ['text/html', 'application/json']) {
      // Hosts that compress add their own line.
      const { headers } = await server.fetch('/', { headers: { accept } });
      const vary = (headers.get('vary') ?? '').split(',').map((name) => name.trim().toLowerCase());
      expect([accept, vary]).toEqual([accept, expect.arrayContaining(['accept', 'x-theme'])]);
    }
    expect((await server.fetch('/headers/plain')).headers.get('vary')).toMatch(/x-theme/i);
  },
);
