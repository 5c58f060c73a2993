import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import type { Host } from '../host.ts';
import { json } from '../generic/expect-json.ts';

/** Status and `Location` of a path, which is sent unchanged. */
async function location(host: Host, path: string, method: string = 'GET'): Promise<[number, string | null]> {
  const response = await host.send({ path, method });
  return [response.status, response.header('location')];
}

behaviour('redirects with 307', 'B16, RFC 9110 section 15.4.8', async (host) => {
  const response = await host.fetch('/moved/7');
  expect([response.status, response.headers.get('location')]).toEqual([307, host.target('/params/7')]);
  expect(await response.text()).toBe('');
});

behaviour('redirects for good with 308', 'B16, RFC 9110 section 15.4.9', async (host) => {
  expect(await location(host, '/moved/for-good')).toEqual([308, host.target('/hello')]);
});

behaviour('redirects every method', 'B16', async (host) => {
  for (const method of ['HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    expect([method, ...(await location(host, '/moved/7', method))]).toEqual([method, 307, host.target('/params/7')]);
  }
});

behaviour('keeps method and body across a redirect', 'B16, RFC 9110 section 15.4.8', async (host) => {
  const response = await host.fetch('/moved/text', { method: 'POST', body: 'moved', redirect: 'follow' });
  expect(await json(response)).toEqual({ text: 'moved', bodyUsed: true });
});

behaviour('keeps the query across a redirect', 'B16', async (host) => {
  expect(await location(host, '/moved/7?a=1&b=%20+&a')).toEqual([307, host.target('/params/7?a=1&b=%20+&a')]);
});

behaviour("keeps of the query what the destination's own does not set", 'B16', async (host) => {
  const wanted = host.target('/request/head?from=config&to=you');
  expect(await location(host, '/moved/query?from=me&to=you')).toEqual([307, wanted]);
});

behaviour('encodes a parameter in the destination', 'B16', async (host) => {
  const wanted = host.target('/params/a%2Fb%3Fc%23d%20%C3%A9');
  expect(await location(host, '/moved/a%2Fb%3Fc%23d%20%C3%A9')).toEqual([307, wanted]);
});

behaviour('fills a rest into the destination, segment by segment', 'B16', async (host) => {
  expect(await location(host, '/moved/a/b%2Fc/d')).toEqual([307, host.target('/rest/a/b%2Fc/d')]);
});

behaviour('ranks redirects as routes, whatever their order', 'B13, B16', async (host) => {
  expect(await location(host, '/moved/for-good')).toEqual([308, host.target('/hello')]);
  expect(await location(host, '/moved/other')).toEqual([307, host.target('/params/other')]);
  expect(await location(host, '/moved/other/one')).toEqual([307, host.target('/rest/other/one')]);
});

behaviour('redirects with a trailing slash, and by the decoded path', 'B14, B16', async (host) => {
  expect(await location(host, '/moved/for-good/')).toEqual([308, host.target('/hello')]);
  expect(await location(host, '/m%6Fved/for-good')).toEqual([308, host.target('/hello')]);
});

behaviour('redirects before it looks for a route', 'B16', async (host) => {
  expect(await location(host, '/routing/static/moved')).toEqual([307, host.target('/hello')]);
  expect(await json(await host.fetch('/routing/static/other'))).toMatchObject({ route: 'routing/static/[param]' });
});

behaviour('redirects the methods that a redirect lists', 'B16', async (host) => {
  expect(await location(host, '/moved/by-method', 'PATCH')).toEqual([307, host.target('/hello')]);
  expect(await location(host, '/moved/by-method', 'PUT')).toEqual([307, host.target('/params/by-method')]);
});

behaviour('redirects to another origin that the config names', 'B16', async (host) => {
  expect(await location(host, '/moved/away/a%2Fb?c=d')).toEqual([307, 'https://example.com/a%2Fb?c=d']);
});

behaviour('redirects to no origin that a request names', 'B14, B16', async (host) => {
  for (const path of [
    '%2F%2Fevil.example',
    '%5Cevil.example',
    '%2Fevil.example',
    '@evil.example',
    '..%2F%2Fevil.example',
  ]) {
    const [status, to] = await location(host, `/moved/anywhere/${path}`);
    expect([path, status, new URL(to ?? '', host.origin).origin]).toEqual([path, 307, host.origin]);
  }
  for (const path of [
    '/moved/anywhere//evil.example',
    '/moved/anywhere/..//evil.example',
    '/moved/anywhere/\\evil.example',
  ]) {
    const [, to] = await location(host, path);
    expect([path, new URL(to ?? '/', host.origin).origin]).toEqual([path, host.origin]);
  }
});

behaviour('takes no header from the path of a redirect', 'B16, RFC 9110 section 5.5', async (host) => {
  const response = await host.send({ path: '/moved/a%0D%0Ax-injected:%20yes' });
  expect([response.status, response.header('x-injected')]).toEqual([307, null]);
  expect(response.header('location')).toBe(host.target('/params/a%0D%0Ax-injected%3A%20yes'));
});

behaviour('asks the middleware before it redirects', 'B15, B16', async (host) => {
  const passed = await host.fetch('/middleware/moved');
  expect([passed.status, passed.headers.get('x-middleware')]).toEqual([307, 'ran']);
  expect((await host.fetch('/middleware/moved?middleware=respond')).status).toBe(203);
});

behaviour('answers 400, not a redirect, to malformed percent-encoding', 'B12, B16', async (host) => {
  expect(await location(host, '/moved/%zz')).toEqual([400, null]);
});
