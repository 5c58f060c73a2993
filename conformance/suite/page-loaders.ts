import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import type { Host } from '../host.ts';
import { allPageData, failure, pageData } from '../page-data.ts';
import { release, signalled, uniqueId } from '../generic/signals.ts';

const source = 'docs/guide/pages.md: Data';
const asBrowser = { headers: { accept: 'text/html,*/*;q=0.8' } };

async function page(host: Host, path: string): Promise<{ status: number; headers: Headers; html: string }> {
  const response = await host.fetch(path, asBrowser);
  return { status: response.status, headers: response.headers, html: await response.text() };
}

behaviour('gives a page the values of its loader as they are', source, async (host) => {
  const { html } = await page(host, '/site/data/values');
  expect(html).toContain('<h1>0 true 12345678901234567891 example.com undefined true</h1>');
});

behaviour('lets a loader copy its request', 'Fetch, "new Request(input, init)"', async (host) => {
  const { status, html } = await page(host, '/site/data/copied');
  expect([status, html.includes('data/copied yes</h1>')]).toEqual([200, true]);
  expect(await pageData(host, '/site/data/copied')).toMatchObject({ isRequest: true, copied: 'yes' });
});

behaviour('sends Date, Map, Set, BigInt, URL and circles as data', source, async (host) => {
  const data = (await pageData(host, '/site/data/values')) as Record<string, unknown>;
  expect(data).toMatchObject({
    date: new Date(0),
    map: new Map([['a', new Set([1])]]),
    big: 12345678901234567890n,
    url: new URL('https://example.com/x'),
    nothing: undefined,
  });
  expect((data['ring'] as { self: unknown }).self).toBe(data['ring']);
});

behaviour('streams a page whose loader returned a promise', source, async (host) => {
  await expectInParts(host, { path: '/site/data/promised', first: 'Waiting', last: 'The later part' });
});

behaviour('streams the data of a promise after those that are there', source, async (host) => {
  await expectInParts(host, {
    path: '/site/data/promised?_appkit_data=',
    first: 'The early part',
    last: 'The later part',
  });
});

/** Asserts that the first part of a response is sent before the last part is ready. */
async function expectInParts(
  host: Host,
  { path, first, last }: { path: string; first: string; last: string },
): Promise<void> {
  const id = uniqueId();
  const connection = await host.connect();
  const target = host.target(`${path}${path.includes('?') ? '&' : '?'}id=${id}`);
  await connection.write({ target, headers: [host.hostHeader] });
  const head = await connection.head();
  let text = '';
  let wasEarly = false;
  for await (const piece of connection.pieces(head)) {
    text += piece.toString();
    if (wasEarly || !text.includes(first) || text.includes(last)) continue;
    wasEarly = true;
    await release(host, id);
  }
  connection.destroy();
  expect(wasEarly).toBe(true);
  expect(text).toContain(last);
}

behaviour('tells nothing of a promise that is rejected', { source: 'B2', needs: 'plainErrors' }, async (host) => {
  for (const path of ['/site/data/rejected', '/site/data/rejected?_appkit_data']) {
    const { status, html } = await page(host, path);
    expect([path, status]).toEqual([path, 200]);
    expect(html).not.toContain('a secret');
    expect(html).toContain('Internal server error');
  }
});

behaviour('answers 500 with the boundary for data that cannot be sent', source, async (host) => {
  const { status, html } = await page(host, '/site/data/unsendable');
  expect([status, html.includes('<h1>Not sent</h1>'), html.includes('a secret')]).toEqual([500, true, false]);
});

behaviour('answers 500 to a request for data that cannot be sent', { source, needs: 'plainErrors' }, async (host) => {
  const message = 'Internal server error';
  expect(await failure(host, '/site/data/unsendable')).toEqual({ status: 500, message, level: 1 });
});

behaviour('takes data, status and headers of a Response with JSON', source, async (host) => {
  const { status, headers, html } = await page(host, '/site/data/json');
  expect([status, headers.get('content-type'), headers.get('x-loader'), headers.getSetCookie()]).toEqual([
    203,
    'text/html; charset=utf-8',
    'a response',
    ['loader=json'],
  ]);
  expect(html).toContain('<h1>{&quot;redirect&quot;:&quot;/site&quot;}</h1>');
});

behaviour('gives the data of a Response with JSON, whose key redirect is no redirect', source, async (host) => {
  const response = await host.fetch('/site/data/json?_appkit_data');
  expect([response.status, response.headers.get('appkit-redirect'), response.headers.get('x-loader')]).toEqual([
    203,
    null,
    'a response',
  ]);
  expect(await pageData(host, '/site/data/json')).toEqual({ redirect: '/site' });
});

behaviour('refuses a Response of a loader that is no data', source, async (host) => {
  const { status, html } = await page(host, '/site/data/plain');
  expect([status, html.includes('<h1>No data</h1>')]).toEqual([500, true]);
});

behaviour('survives a filled stream of a loader, which is no data', source, async (host) => {
  for (const [query, expected] of [
    ['', 500],
    ['&throw', 503],
  ] as const) {
    const id = uniqueId();
    const { status, html } = await page(host, `/site/data/filled?id=${id}${query}`);
    expect([status, html.includes('<h1>No data</h1>')]).toEqual([expected, true]);
    await signalled(host, `${id}-closed`);
  }
});

behaviour(
  'shows a Response that a loader throws by the boundary, with its status and headers',
  source,
  async (host) => {
    const { status, headers, html } = await page(host, '/site/data/refused');
    expect([status, headers.get('x-loader'), html.includes('<h1>Members only</h1>')]).toEqual([
      403,
      'a response',
      true,
    ]);
  },
);

behaviour('answers data with the status and text of a Response that a loader throws', source, async (host) => {
  expect(await failure(host, '/site/data/refused')).toEqual({ status: 403, message: 'Members only', level: 1 });
});

behaviour('answers what a loader does not find by +not-found', source, async (host) => {
  const { status, headers, html } = await page(host, '/site/data/gone');
  expect([status, html.includes('<h1>No such page</h1>'), html.includes('Never seen')]).toEqual([404, true, false]);
  expect(headers.get('vary')).toMatch(/(?:^|,)\s*accept\s*(?:,|$)/i);
});

behaviour('answers what a layout does not find by the +not-found of a folder above', source, async (host) => {
  for (const path of ['/site/unknown', '/site/unknown/below']) {
    const { status, html } = await page(host, path);
    expect([path, status, html.includes('<h1>No such page</h1>')]).toEqual([path, 404, true]);
  }
});

behaviour('answers data that a loader does not find with 404', source, async (host) => {
  expect(await failure(host, '/site/data/gone')).toEqual({ status: 404, message: 'Not found', level: 1 });
});

behaviour('keeps all headers of a redirect of a loader', source, async (host) => {
  const { status, headers } = await page(host, '/site/data/leaving');
  expect([status, headers.get('location'), headers.get('x-loader'), headers.getSetCookie()]).toEqual([
    303,
    '/site',
    'leaving',
    ['first=1', 'second=2'],
  ]);
});

behaviour(
  'keeps the headers of a redirect of a loader in its answer to a client that asks for data',
  source,
  async (host) => {
    const { status, headers } = await host.fetch('/site/data/leaving?_appkit_data');
    expect([status, headers.get('appkit-redirect'), headers.get('x-loader'), headers.getSetCookie()]).toEqual([
      204,
      '/site',
      'leaving',
      ['first=1', 'second=2'],
    ]);
  },
);

behaviour('gives a layout the data of its own loader', source, async (host) => {
  const { html } = await page(host, '/site/area/one');
  expect(html).toMatch(/id="site-layout".*id="area-layout"><p>Data of the layout<\/p><h1>Data of the page<\/h1>/s);
});

behaviour('sends the data of layouts and page together', source, async (host) => {
  const data = [undefined, { area: 'of the layout' }, { page: 'of the page' }];
  expect(await allPageData(host, '/site/area/one')).toEqual(data);
});

behaviour('sends the data alone that a client asks for', source, async (host) => {
  const response = await host.fetch('/site/area/one?_appkit_data=2');
  const text = await response.text();
  expect([response.status, text.includes('of the page'), text.includes('of the layout')]).toEqual([200, true, false]);
});

behaviour('sends all data for a list that is none', source, async (host) => {
  const text = await (await host.fetch('/site/area/one?_appkit_data=__proto__')).text();
  expect([text.includes('of the page'), text.includes('of the layout')]).toEqual([true, true]);
});
