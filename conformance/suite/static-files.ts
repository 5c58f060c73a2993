import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';

const source = 'Server build and hosting: Adapters, Export';

behaviour('serves a file of public/', source, async (host) => {
  const response = await host.fetch('/robots.txt');
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('User-agent: *\nDisallow: /private\n');
});

behaviour('serves a file in a folder of public/ with its media type', source, async (host) => {
  const response = await host.fetch('/nested/data.json');
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(await response.json()).toEqual({ from: 'public' });
});

behaviour('serves a file whose name is encoded in the URL', source, async (host) => {
  const response = await host.fetch('/with%20space.txt');
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('must be encoded');
});

behaviour('serves the index of a folder', source, async (host) => {
  const response = await host.fetch('/nested/');
  expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([200, 'text/html']);
});

behaviour('serves a page without its .html', 'what users of comparable hosts expect', async (host) => {
  const response = await host.fetch('/page');
  expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([200, 'text/html']);
});

behaviour('serves a file of .well-known', 'RFC 8615 section 3', async (host) => {
  const response = await host.fetch('/.well-known/security.txt');
  expect([response.status, await response.text()]).toEqual([200, 'Contact: mailto:security@shop.example\n']);
});

behaviour('answers no POST with a file', source, async (host) => {
  const response = await host.fetch('/robots.txt', { method: 'POST' });
  // From the routes, none of which has this name, or from the host, which refuses it in its own way.
  expect(Math.floor(response.status / 100)).toBe(4);
  expect(await response.text()).not.toContain('User-agent');
});

behaviour('leaves to the routes what only looks like a file', source, async (host) => {
  for (const path of [
    '/rest/page.html',
    '/rest/index.html',
    '/rest/index',
    '/rest/page',
    '/rest/robots.txt',
    '/rest/a.b/c',
  ]) {
    const response = await host.fetch(path);
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { params: { path: path.slice('/rest/'.length) } },
    ]);
  }
});

behaviour('serves nothing from outside of dist/client', source, async (host) => {
  for (const path of [
    '/../server/index.js',
    '/..%2fserver%2findex.js',
    '/%2e%2e/server/index.js',
    '/server/index.js',
    '/..%5cserver%5cindex.js',
  ]) {
    const response = await host.send({ path });
    expect(response.status, path).toBeGreaterThanOrEqual(400);
    expect(response.body.toString()).not.toContain('manifest');
  }
});

behaviour('answers a page of its own at the origin of the page', 'Server routes: Client calls (web)', async (host) => {
  // A host may lead to /page.
  const page = await host.fetch('/page.html', { redirect: 'follow' });
  expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  // The URL that a browser resolves fetch('request/head') to in that page.
  const called = new URL('request/head', page.url);
  const response = await fetch(called, { headers: { referer: page.url, 'sec-fetch-site': 'same-origin' } });
  expect(await response.json()).toMatchObject({ url: called.href, origin: new URL(page.url).origin });
});
