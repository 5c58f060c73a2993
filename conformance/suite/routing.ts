import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import type { Host } from '../host.ts';
import { json } from '../generic/expect-json.ts';

async function routeOf(host: Host, path: string): Promise<string> {
  return (await json<{ route: string }>(await host.fetch(path))).route;
}

behaviour('runs the file hello+api.ts for /hello', 'Server routes: Path', async (host) => {
  const response = await host.fetch('/hello');
  expect(await json(response)).toEqual({ hello: 'world' });
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
});

behaviour('runs app/index+api.ts for the root', 'B13', async (host) => {
  const response = await host.fetch('/');
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('index');
});

behaviour("runs a folder's index+api.ts for the folder's path", 'B13', async (host) => {
  expect(await routeOf(host, '/routing')).toBe('routing/index');
});

behaviour('does not answer /index from index+api.ts', 'B13', async (host) => {
  expect((await host.fetch('/index')).status).toBe(404);
});

behaviour('leaves a group out of the path', 'B13', async (host) => {
  expect(await routeOf(host, '/groups/plain')).toBe('groups/(group)/plain');
});

behaviour('leaves a group at the top of the app out of the path', 'B13', async (host) => {
  expect(await routeOf(host, '/grouped')).toBe('(outer)/grouped');
});

behaviour('leaves groups in groups out of the path', 'B13', async (host) => {
  expect(await routeOf(host, '/groups/nested')).toBe('groups/(one)/(two)/nested');
});

behaviour('runs an index+api.ts in a group for the path of the folder around it', 'B13', async (host) => {
  expect(await routeOf(host, '/groups')).toBe('groups/(index)/index');
});

behaviour('does not answer a path with the name of a group in it', 'B13', async (host) => {
  expect((await host.fetch('/groups/(group)/plain')).status).toBe(404);
});

behaviour('prefers a static segment to a parameter', 'B13', async (host) => {
  expect(await routeOf(host, '/routing/static')).toBe('routing/static');
});

behaviour('prefers a parameter to a rest', 'B13', async (host) => {
  expect(await routeOf(host, '/routing/other')).toBe('routing/[param]');
});

behaviour('runs a rest route for what nothing else matches', 'B13', async (host) => {
  expect(await routeOf(host, '/routing/one/two/three')).toBe('routing/[...rest]');
});

behaviour('compares segments from the left', 'B13', async (host) => {
  expect(await routeOf(host, '/routing/static/static')).toBe('routing/static/[param]');
});

behaviour('finds the less specific route where the more specific one leads nowhere', 'B13', async (host) => {
  expect(await routeOf(host, '/routing/deep/exact/a')).toBe('routing/deep/exact/a');
  expect(await routeOf(host, '/routing/deep/exact/b')).toBe('routing/deep/[name]/b');
  expect(await routeOf(host, '/routing/deep/exact/c')).toBe('routing/[...rest]');
});

behaviour('does not run a rest route for no segment', 'B12', async (host) => {
  expect((await host.fetch('/rest')).status).toBe(404);
  expect((await host.fetch('/rest/')).status).toBe(404);
});

behaviour('accepts one trailing slash', 'B14', async (host) => {
  expect(await json(await host.fetch('/hello/'))).toEqual({ hello: 'world' });
});

behaviour('refuses two trailing slashes', 'B14', async (host) => {
  const response = await host.send({ path: '/hello//' });
  expect(response.status).toBe(404);
});

behaviour('refuses an empty segment at the front', 'B14', async (host) => {
  const response = await host.send({ path: '//hello' });
  expect(response.status).toBe(404);
});

behaviour('takes an empty segment for no parameter', 'B14', async (host) => {
  expect((await host.send({ path: '/params//b' })).status).toBe(404);
  expect((await host.send({ path: '/rest//' })).status).toBe(404);
});

behaviour('matches case-sensitively', 'B14', async (host) => {
  expect((await host.fetch('/Hello')).status).toBe(404);
});

behaviour('matches the decoded path', 'B14', async (host) => {
  expect(await json(await host.fetch('/%68ello'))).toEqual({ hello: 'world' });
});

behaviour('does not take an encoded slash for a separator', 'B14', async (host) => {
  expect(await routeOf(host, '/routing%2Fstatic/x').catch(() => 'none')).toBe('none');
  expect((await host.fetch('/groups%2Fplain')).status).toBe(404);
});

behaviour('runs a route whose file name is not ASCII', 'B14', async (host) => {
  expect(await routeOf(host, '/unicode/caf%C3%A9')).toBe('unicode/café');
  expect(await routeOf(host, '/unicode/日本')).toBe('unicode/日本');
});

behaviour('runs a route with a dot in its name', 'Server routes: Path', async (host) => {
  expect(await routeOf(host, '/files/data.json')).toBe('files/data.json');
});

behaviour('runs a route with a space in its name', 'B14', async (host) => {
  expect(await routeOf(host, '/files/a%20b')).toBe('files/a b');
});

behaviour('resolves dot segments before matching', 'adapters.md case 73', async (host) => {
  const plain = await host.send({ path: '/groups/../hello' });
  expect(plain.status).toBe(200);
  const encoded = await host.send({ path: '/groups/%2e%2e/hello' });
  expect(encoded.status).toBe(200);
});

behaviour('ignores the query when it matches', 'Server routes: Request', async (host) => {
  expect(await json(await host.fetch('/hello?a=/b&c=%zz'))).toEqual({ hello: 'world' });
});

behaviour('answers 404 in plain text when no route matches', 'B1, RFC 9110 section 15.5.5', async (host) => {
  const response = await host.fetch('/no/such/route');
  expect(response.status).toBe(404);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(await response.text()).toBe('Not found');
});

behaviour('answers 404 below a route that has nothing below it', 'B13', async (host) => {
  expect((await host.fetch('/hello/world')).status).toBe(404);
});

behaviour('answers 404 for names that every object has', 'B1', async (host) => {
  expect((await host.fetch('/constructor')).status).toBe(404);
  expect((await host.fetch('/__proto__')).status).toBe(404);
  expect((await host.fetch('/groups/toString')).status).toBe(404);
});

behaviour('answers 400 to malformed percent-encoding in a path', 'B12, adapters.md case 70', async (host) => {
  for (const path of ['/params/%zz', '/params/%', '/params/%e0%a4', '/no/such/%zz']) {
    const response = await host.send({ path });
    expect([path, response.status, response.body.toString()]).toEqual([path, 400, 'Bad request']);
  }
});
