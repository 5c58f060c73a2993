import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import type { ConfiguredHost, Host } from '../host.ts';
import { json } from '../generic/expect-json.ts';
import { uniqueId } from '../generic/signals.ts';

// A server.ts with its own fetch, exported by `appkit export --from`.
const from = { source: 'docs/guide/frameworks.md', needs: 'ownFetch' } as const;

const LIMIT = 1000;

/** A server of that code. */
const own = (host: Host, options?: Record<string, unknown>): Promise<ConfiguredHost> =>
  host.configured({ app: 'app-fetch', env: { CONFORMANCE_SECRET: 'a secret' }, ...(options && { options }) });

/** One that prints errors, since it has options. */
const limited = (host: Host): Promise<ConfiguredHost> => own(host, { maxRequestBodySize: LIMIT });

behaviour('passes a method on that no route may have', from, async (host) => {
  const response = await (await own(host)).send({ method: 'PROPFIND', path: '/any' });
  expect([response.status, response.header('x-method')]).toEqual([299, 'PROPFIND']);
});

behaviour('passes a path on that names nothing or is malformed', from, async (host) => {
  const server = await own(host);
  for (const path of ['//x', '/%zz', '/a/', '/a//b', '/?q=%zz&q', '/_appkit/data/x']) {
    const { status, body } = await server.send({ path });
    expect(status).toBe(299);
    expect(JSON.parse(body.toString())).toEqual({ method: 'GET', path: server.target(path) });
  }
});

behaviour('lets code with a fetch answer HEAD and OPTIONS itself', from, async (host) => {
  const server = await own(host);
  const head = await server.fetch('/any', { method: 'HEAD' });
  expect([head.status, head.headers.get('x-method'), await head.text()]).toEqual([299, 'HEAD', '']);
  expect((await server.fetch('/any', { method: 'OPTIONS' })).headers.get('x-method')).toBe('OPTIONS');
});

behaviour('passes a body on and sends one, byte by byte', from, async (host) => {
  const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 251);
  const server = await own(host);
  for (const path of ['/body', '/stream']) {
    const response = await server.fetch(path, { method: 'POST', body: bytes });
    expect([path, Buffer.from(await response.arrayBuffer()).equals(bytes)]).toEqual([path, true]);
  }
});

behaviour(
  'passes on a form that another origin sends with cookies, which is for the framework to judge',
  from,
  async (host) => {
    const headers = {
      cookie: 'session=1',
      origin: 'https://other.example',
      'sec-fetch-site': 'cross-site',
      'content-type': 'application/x-www-form-urlencoded',
    };
    const response = await (await own(host)).fetch('/body', { method: 'POST', headers, body: 'a=1' });
    expect([response.status, await response.text()]).toEqual([200, 'a=1']);
  },
);

behaviour('sends several cookies and a redirect of code with a fetch', from, async (host) => {
  const server = await own(host);
  expect((await server.fetch('/cookies')).headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  const redirect = await server.fetch('/redirect');
  expect([redirect.status, redirect.headers.get('location')]).toEqual([303, 'https://other.example/']);
});

behaviour('tells a fetch the address of the client, whatever the client says', from, async (host) => {
  const server = await own(host);
  const addressOf = async (headers: Record<string, string>): Promise<unknown> =>
    (await json(await server.fetch('/context', { headers })))['clientAddress'];
  const address = await addressOf({});
  expect(address).toMatch(/^(?:127\.0\.0\.1|::1)$/);
  const forged = { 'x-forwarded-for': '203.0.113.9', 'x-real-ip': '203.0.113.9', forwarded: 'for=203.0.113.9' };
  expect(await addressOf(forged)).toBe(address);
});

behaviour(
  'tells a fetch the address that a trusted proxy has added',
  { ...from, needs: ['ownFetch', 'trustProxy'] },
  async (host) => {
    const server = await own(host, { trustProxy: 1 });
    const headers = { 'x-forwarded-for': '203.0.113.9, 198.51.100.7' };
    expect(await json(await server.fetch('/context', { headers }))).toMatchObject({ clientAddress: '198.51.100.7' });
  },
);

behaviour('gives a fetch an id for each request, and what the host gives', from, async (host) => {
  const server = await own(host);
  const [first, second] = [await json(await server.fetch('/context')), await json(await server.fetch('/context'))];
  expect(first['requestId']).toMatch(/.{8}/);
  expect(second['requestId']).not.toBe(first['requestId']);
  expect(first['platform']).toBe('object');
});

behaviour('gives a fetch the variables of the host', from, async (host) => {
  const server = await own(host);
  expect(await json(await server.fetch('/context'))).toMatchObject({ variable: 'a secret' });
});

behaviour('has the helpers in a fetch', from, async (host) => {
  const server = await own(host);
  const response = await server.fetch('/helpers');
  expect(response.headers.get('x-set')).toBe('by a helper');
  expect(await json(response)).toMatchObject({ origin: server.origin });
});

behaviour('answers 500 to an error of a fetch, which onError gets', from, async (host) => {
  const server = await limited(host);
  for (const [path, message] of [
    ['/throws', /onError: GET \S+\/throws: fetch threw/],
    ['/nothing', /onError: GET \S+\/nothing: fetch of \S+ returned undefined instead of a Response/],
  ] as const) {
    const response = await server.fetch(path);
    expect([path, response.status, await response.text()]).toEqual([path, 500, 'Internal server error']);
    await server.waitForOutput(message);
  }
});

behaviour('takes a StatusError that a fetch throws for its answer', from, async (host) => {
  expect((await (await own(host)).fetch('/status')).status).toBe(418);
});

behaviour('runs what a fetch gives to waitUntil, and does not wait for it', from, async (host) => {
  const server = await own(host);
  const id = uniqueId();
  expect(await (await server.fetch(`/task?${id}`)).text()).toBe('did not wait');
  await server.fetch(`/task/begin?${id}`);
  expect(await (await server.fetch(`/task/end?${id}`)).text()).toBe('ended');
});

behaviour('reports what fails that a fetch has given to waitUntil', from, async (host) => {
  const server = await limited(host);
  expect(await (await server.fetch('/task/fails')).text()).toBe('answered');
  await server.waitForOutput(/onError: GET \S+\/task\/fails: the task failed/);
});

behaviour('holds the limit of a body in front of a fetch', from, async (host) => {
  const server = await limited(host);
  expect((await server.fetch('/body', { method: 'POST', body: 'x'.repeat(LIMIT + 1) })).status).toBe(413);
  expect(await (await server.fetch('/body', { method: 'POST', body: 'x'.repeat(LIMIT) })).text()).toBe(
    'x'.repeat(LIMIT),
  );
});

behaviour('sets the configured headers on answers of a fetch', from, async (host) => {
  expect((await (await own(host)).fetch('/any')).headers.get('x-configured')).toBe('fetch');
});

behaviour(
  'serves the files that go with a fetch before it is asked',
  { ...from, needs: ['ownFetch', 'ownFiles'] },
  async (host) => {
    const server = await own(host);
    const response = await server.fetch('/file.txt');
    expect([response.status, await response.text()]).toEqual([200, 'a file of the app\n']);
  },
);
