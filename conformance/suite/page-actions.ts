import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import type { Host } from '../host.ts';
import { readAnswer } from '../page-data.ts';

const source = 'docs/guide/pages.md: Forms';

interface Sent {
  text: string;
  query?: string;
  headers?: Record<string, string>;
}

async function send(host: Host, { text, query = '', headers = {} }: Sent): Promise<Response> {
  const asBrowser = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
  const body = new URLSearchParams({ text }).toString();
  return host.fetch(`/site/form${query}`, { method: 'POST', body, headers: { ...asBrowser, ...headers } });
}

behaviour('shows a page with what its action answers to a form', source, async (host) => {
  const response = await send(host, { text: 'a & b', query: '?x=1' });
  expect([response.status, response.headers.get('content-type'), response.headers.get('x-action')]).toEqual([
    200,
    'text/html; charset=utf-8',
    'ran',
  ]);
  const html = await response.text();
  expect(html).toContain('{&quot;text&quot;:&quot;a &amp; b&quot;,&quot;search&quot;:&quot;?x=1&quot;');
  expect(html).toContain('Loaded by GET null');
});

behaviour('takes a form with files', source, async (host) => {
  const body = new FormData();
  body.set('text', 'in parts');
  body.set('file', new File(['x'], 'x.txt'));
  const response = await host.fetch('/site/form', { method: 'POST', body });
  expect([response.status, (await response.text()).includes('in parts')]).toEqual([200, true]);
});

behaviour('lets an action copy its request with the body', 'Fetch, "new Request(input, init)"', async (host) => {
  const headers = { accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' };
  const response = await host.fetch('/site/data/copied', { method: 'POST', body: 'text=sent', headers });
  expect([response.status, (await response.text()).includes('text=sent')]).toEqual([200, true]);
});

behaviour('gives the answer of an action and the data of the loaders to a client', source, async (host) => {
  const response = await send(host, { text: 'sent', query: '?x=1&_appkit_data=' });
  const { data, actionData } = readAnswer(await response.text());
  expect([response.status, data.at(-1), actionData]).toEqual([
    200,
    { method: 'GET', type: null },
    { text: 'sent', search: '?x=1', at: new Date(0) },
  ]);
});

behaviour('gives the answer of an action its status and headers', source, async (host) => {
  const response = await send(host, { text: 'refuse' });
  expect([response.status, response.headers.get('x-action')]).toEqual([422, 'refused']);
  expect(await response.text()).toContain('Said {&quot;problem&quot;:&quot;No&quot;}');
});

behaviour('sends the visitor where an action redirects', source, async (host) => {
  const response = await send(host, { text: 'leave' });
  expect([response.status, response.headers.get('location'), response.headers.getSetCookie()]).toEqual([
    303,
    '/site',
    ['sent=1'],
  ]);
  const forData = await send(host, { text: 'leave', query: '?_appkit_data=' });
  expect([forData.status, forData.headers.get('appkit-redirect'), forData.headers.getSetCookie()]).toEqual([
    204,
    '/site',
    ['sent=1'],
  ]);
});

behaviour('shows the boundary for an action that throws', source, async (host) => {
  const response = await send(host, { text: 'throw' });
  expect([response.status, (await response.text()).includes('<h1>There is one</h1>')]).toEqual([409, true]);
  const forData = await send(host, { text: 'throw', query: '?_appkit_data=' });
  expect([forData.status, readAnswer(await forData.text()).failure]).toEqual([
    409,
    { message: 'There is one', status: 409, level: 1 },
  ]);
});

behaviour('answers what an action does not find by +not-found', source, async (host) => {
  const response = await send(host, { text: 'lose' });
  expect([response.status, (await response.text()).includes('<h1>No such page</h1>')]).toEqual([404, true]);
});

behaviour('refuses a form of another origin', 'Fetch Metadata, Sec-Fetch-Site', async (host) => {
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ]) {
    const response = await send(host, { text: 'forged', headers });
    expect([headers, response.status, response.headers.get('x-action')]).toEqual([headers, 403, null]);
  }
});

behaviour('takes a form of its own origin', 'Fetch Metadata, Sec-Fetch-Site', async (host) => {
  for (const headers of [{ 'sec-fetch-site': 'same-origin' }, { 'sec-fetch-site': 'none' }, { origin: host.origin }]) {
    expect([headers, (await send(host, { text: 'own', headers })).status]).toEqual([headers, 200]);
  }
});

behaviour('answers a form of a page that was written by the export', source, async (host) => {
  expect(await (await host.fetch('/site/written-form')).text()).toContain('Said nothing');
  const response = await host.fetch('/site/written-form', { method: 'POST', body: 'something' });
  expect([response.status, (await response.text()).includes('Said something')]).toEqual([200, true]);
  expect(await (await host.fetch('/site/written-form')).text()).toContain('Said nothing');
});

behaviour('names POST among the methods of a page with an action', 'RFC 9110 section 15.5.6', async (host) => {
  const refused = await host.fetch('/site/form', { method: 'DELETE' });
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, POST, HEAD']);
});
