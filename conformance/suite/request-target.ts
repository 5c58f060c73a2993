import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import type { RawResponse } from '../generic/raw-http.ts';

interface Seen {
  path: string;
  url: string;
  origin: string;
}

function seen(response: RawResponse): Seen {
  expect(response.status, response.body.toString()).toBe(200);
  return JSON.parse(response.body.toString()) as Seen;
}

behaviour('keeps the host for a target that starts with two slashes', 'B14, adapters.md case 65', async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  const response = await server.send({ path: '//evil.com/x' });
  // no route matches the empty segment; the middleware's view shows the target
  expect(response.status).toBe(404);
  expect(response.header('x-middleware-url')).toBe(`${server.origin}${server.target('//evil.com/x')}`);
  expect(response.header('x-middleware-origin')).toBe(server.origin);
});

behaviour('keeps empty segments inside a rest', 'B12, B14', async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  const { path, url } = seen(await server.send({ path: '/x//evil.com/' }));
  expect(path).toBe('x//evil.com');
  expect(url).toBe(`${server.origin}${server.target('/x//evil.com/')}`);
});

behaviour('keeps the host for an absolute-form target', 'B14, adapters.md case 67', async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  const response = await server.send({ target: `http://evil.com${server.target('/x?y=1')}` });
  const { path, url, origin } = seen(response);
  expect(url).toBe(`${server.origin}${server.target('/x?y=1')}`);
  expect(path).toBe('x');
  expect(origin).toBe(server.origin);
});

behaviour('keeps the scheme for an absolute-form target', 'B14, adapters.md case 67', async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  const { url } = seen(await server.send({ target: `https://user:secret@evil.com${server.target('/x')}` }));
  expect(url).toBe(`${server.origin}${server.target('/x')}`);
});

behaviour('answers 400 to a Host header with a comma', 'B14', async (host) => {
  const response = await host.send({ path: '/request/head', headers: [['Host', 'a,b']] });
  expect(response.status).toBe(400);
});

// An adapter that trusts a URL because it starts like the one before would match another path than the target's.
behaviour('answers 400 to its own host with a path behind it', 'RFC 9112 section 3.2', async (host) => {
  const [, own] = host.hostHeader;
  await host.send({ path: '/request/head', headers: [host.hostHeader] });
  const response = await host.send({ path: '/head', headers: [['Host', `${own}/request`]] });
  expect(response.status).toBe(400);
});
