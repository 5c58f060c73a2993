import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import type { Host } from '../host.ts';
import { json } from '../generic/expect-json.ts';
import { failure, pageData } from '../page-data.ts';
import { release, uniqueId } from '../generic/signals.ts';

const source = 'Server build and hosting: Server output';
const asBrowser = { headers: { accept: 'text/html,*/*;q=0.8' } };
const VARIES_BY_ACCEPT = /(?:^|,)\s*accept\s*(?:,|$)/i;

async function html(host: Host, path: string): Promise<string> {
  const response = await host.fetch(path, asBrowser);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
  return response.text();
}

behaviour('answers a page with its HTML, within its layouts', source, async (host) => {
  expect(await html(host, '/site/shop')).toMatch(/id="site-layout".*id="shop-layout".*<h1>The shop<\/h1>/s);
});

behaviour('answers a page with one optional trailing slash', 'B14', async (host) => {
  expect(await html(host, '/site/')).toContain('<h1>The site</h1>');
});

behaviour('answers a page whose path has an accent', 'B14', async (host) => {
  expect(await html(host, '/site/caf%C3%A9')).toContain('<h1>The café</h1>');
});

behaviour('answers HEAD of a prerendered page without a body', 'RFC 9110 section 9.3.2', async (host) => {
  const head = await host.send({ method: 'HEAD', path: '/site' });
  expect([head.status, head.header('content-type'), head.body.length]).toEqual([200, 'text/html; charset=utf-8', 0]);
});

behaviour('answers HEAD of a rendered page without a body', 'RFC 9110 section 9.3.2', async (host) => {
  const head = await host.send({ method: 'HEAD', path: '/site/items/7' });
  expect([head.status, head.header('content-type'), head.body.length]).toEqual([200, 'text/html; charset=utf-8', 0]);
});

behaviour('gives a prerendered page an ETag and has it asked for again', 'RFC 9111 section 5.2.2', async (host) => {
  const { headers } = await host.fetch('/site');
  expect(headers.get('etag')).toMatch(/^(?:W\/)?"[\da-f]+"$/);
  expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
});

behaviour('answers 304 to a client that has a prerendered page', 'RFC 9110 section 13.1.2', async (host) => {
  const etag = (await host.fetch('/site')).headers.get('etag') ?? '';
  const again = await host.send({ path: '/site', headers: [['If-None-Match', `"other", ${etag}`]] });
  expect([again.status, again.body.length]).toEqual([304, 0]);
});

behaviour(
  'answers a client that has another version of a prerendered page',
  'RFC 9110 section 13.1.2',
  async (host) => {
    const changed = await host.fetch('/site', { headers: { 'if-none-match': '"other"' } });
    expect([changed.status, await changed.text()]).toEqual([200, expect.stringContaining('The site')]);
  },
);

behaviour('refuses other methods of a page and lists its own', 'B1', async (host) => {
  const refused = await host.fetch('/site', { method: 'POST', body: 'x' });
  expect([refused.status, refused.headers.get('allow'), await refused.text()]).toEqual([
    405,
    'GET, HEAD',
    'Method not allowed',
  ]);
});

behaviour('leaves other methods of a page to the API route of the same path', 'B13', async (host) => {
  expect(await html(host, '/site/shop')).toContain('<h1>The shop</h1>');
  const posted = await host.fetch('/site/shop', { method: 'POST', body: 'order' });
  expect(await json(posted)).toEqual({ posted: 'order' });
  const refused = await host.fetch('/site/shop', { method: 'DELETE' });
  expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, POST, HEAD']);
});

behaviour('ranks pages and API routes together', 'B13', async (host) => {
  expect(await html(host, '/site/items/7')).toContain('<h1>Item 7</h1>');
  expect(await html(host, '/site/items/special')).toContain('<h1>A page of its own</h1>');
  expect(await (await host.fetch('/site/items/export')).text()).toBe('a route of its own');
});

behaviour('gives a page its parameters, decoded once', 'B12', async (host) => {
  expect(await html(host, '/site/items/a%252Fb%20c')).toContain('<h1>Item a%2Fb c</h1>');
});

behaviour('answers a page with a malformed path by 400', 'B12', async (host) => {
  expect((await host.send({ path: '/site/items/%E0%A4%A' })).status).toBe(400);
});

behaviour('gives a page its query', source, async (host) => {
  expect(await html(host, '/site/items/7?a=1&b=2&b=3')).toContain(
    '{&quot;a&quot;:&quot;1&quot;,&quot;b&quot;:[&quot;2&quot;,&quot;3&quot;],&quot;id&quot;:&quot;7&quot;}',
  );
});

behaviour('gives a loader the request and the parameters', source, async (host) => {
  const headers = { cookie: 'session=1' };
  expect(await pageData(host, '/site/items/7?a=1', { headers })).toEqual({
    params: { id: '7' },
    pathname: host.target('/site/items/7'),
    search: '?a=1',
    method: 'GET',
    cookie: 'session=1',
  });
});

behaviour('answers a request for the data of a page as JSON', source, async (host) => {
  const response = await host.fetch('/site/items/7?_appkit_data=');
  expect([response.status, response.headers.get('content-type')?.split(';')[0]]).toEqual([200, 'application/json']);
});

behaviour('renders what generateStaticParams lists beforehand, and the rest on request', source, async (host) => {
  expect((await host.fetch('/site/listed/one')).headers.get('etag')).not.toBeNull();
  expect(await html(host, '/site/listed/two%20words')).toContain('<h1>Listed two words</h1>');
  expect(await html(host, '/site/listed/three')).toContain('<h1>Listed three</h1>');
  expect((await host.fetch('/site/listed/three')).headers.get('etag')).toBeNull();
});

behaviour('answers the data of a prerendered page', source, async (host) => {
  expect(await pageData(host, '/site/listed/one')).toEqual({ id: 'one', at: 'undefined' });
});

behaviour('has no data of a page without a loader', source, async (host) => {
  expect((await host.fetch('/site?_appkit_data')).status).toBe(404);
});

behaviour('lets a loader use the helpers', 'Runtime helper library', async (host) => {
  const response = await host.fetch('/site/data/helpers');
  expect(response.headers.get('x-loader')).toBe('ran');
  expect(response.headers.getSetCookie()).toEqual(['loader=1; Path=/']);
  expect(await response.text()).toContain(`<pre>${host.origin}</pre>`);
});

behaviour('lets no shared cache keep a page that is rendered for a request', 'RFC 9111 section 3', async (host) => {
  const paths = ['/site/data/text', '/site/data/text?_appkit_data', '/site/items/7', '/site/items/7?_appkit_data'];
  const answers = await Promise.all(paths.map((path) => host.fetch(path)));
  expect(answers.map(({ headers }) => headers.get('cache-control'))).toEqual([
    'private, no-cache',
    'private, no-store',
    'private, no-cache',
    'private, no-store',
  ]);
});

behaviour('keeps a page and its data as the loader says', 'setResponseHeaders', async (host) => {
  for (const path of ['/site/data/kept', '/site/data/kept?_appkit_data'])
    expect((await host.fetch(path)).headers.get('cache-control')).toBe('public, max-age=60');
});

behaviour('writes the data of a page so that it ends no script', 'HTML section 4.12.1.3', async (host) => {
  const text = await html(host, '/site/data/text');
  expect(text).not.toContain('<script>alert(1)');
  expect(text.toLowerCase()).toContain(String.raw`\u003c/script>`);
});

behaviour('sends a client elsewhere when a loader throws a redirect', 'B4', async (host) => {
  const response = await host.fetch('/site/data/away', asBrowser);
  expect([response.status, response.headers.get('location')]).toEqual([303, '/site']);
});

behaviour('tells a client that asks for data of a redirect', 'B4', async (host) => {
  const { status, headers } = await host.fetch('/site/data/away?_appkit_data');
  expect([status, headers.get('appkit-redirect'), headers.get('location')]).toEqual([204, '/site', null]);
});

behaviour("shows a page's boundary for a StatusError of its loader, with that status", 'B3', async (host) => {
  const response = await host.fetch('/site/data/closed', asBrowser);
  expect([response.status, await response.text()]).toEqual([503, expect.stringContaining('<h1>Closed today</h1>')]);
});

behaviour('answers a request for data with the StatusError of its loader', 'B3', async (host) => {
  expect(await failure(host, '/site/data/closed')).toEqual({ status: 503, message: 'Closed today', level: 1 });
});

behaviour('tells nothing of an error of a loader', { source: 'B2', needs: 'plainErrors' }, async (host) => {
  const response = await host.fetch('/site/data/broken', asBrowser);
  expect([response.status, response.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8']);
  const text = await response.text();
  expect([text.includes('<h1>Internal server error</h1>'), text.includes('a secret')]).toEqual([true, false]);
  const other = await host.fetch('/site/data/broken', { headers: { accept: 'application/json' } });
  expect([other.status, await other.text()]).toEqual([500, 'Internal server error']);
});

behaviour('answers what there is no page for with the page for that, to a browser', source, async (host) => {
  const response = await host.fetch('/site/nowhere/at/all', asBrowser);
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(response.headers.get('vary')?.toLowerCase()).toContain('accept');
  expect(await response.text()).toContain('<h1>No such page</h1>');
});

behaviour('answers what there is no page for with text, to other clients', source, async (host) => {
  const response = await host.fetch('/site/nowhere', { headers: { accept: 'application/json' } });
  expect([response.status, await response.text()]).toEqual([404, 'Not found']);
  expect(response.headers.get('vary')?.toLowerCase()).toContain('accept');
});

behaviour(
  'answers what there is no page for with the page for that, to whoever accepts HTML',
  'RFC 9110 section 12.5.1',
  async (host) => {
    for (const accept of [undefined, '*/*', 'text/*', 'application/json, text/html;q=0.1', 'Text/HTML; Q=0.5']) {
      const headers = accept === undefined ? [] : [['Accept', accept] as const];
      const { status, body, header } = await host.send({ path: '/site/nowhere', headers });
      expect([accept, status, header('content-type')]).toEqual([accept, 404, 'text/html; charset=utf-8']);
      expect(body.toString()).toContain('<h1>No such page</h1>');
      expect(header('vary')).toMatch(VARIES_BY_ACCEPT);
    }
  },
);

behaviour(
  'answers what there is no page for with text, to whoever refuses HTML',
  'RFC 9110 section 12.5.1',
  async (host) => {
    for (const accept of ['text/html;q=0', 'text/html;q=0.000, */*', 'text/*;q=0, */*;q=0.5', 'text/plain']) {
      const { status, body, header } = await host.send({ path: '/site/nowhere', headers: [['Accept', accept]] });
      expect([accept, status, body.toString()]).toEqual([accept, 404, 'Not found']);
      expect(header('vary')).toMatch(VARIES_BY_ACCEPT);
    }
  },
);

behaviour('answers HEAD of what there is no page for as it answers GET', 'RFC 9110 section 9.3.2', async (host) => {
  for (const [accept, type] of [
    ['*/*', /^text\/html/],
    ['application/json', /^text\/plain/],
  ] as const) {
    const head = await host.send({ method: 'HEAD', path: '/site/nowhere', headers: [['Accept', accept]] });
    expect([head.status, head.body.length]).toEqual([404, 0]);
    expect(head.header('content-type')).toMatch(type);
    expect(head.header('vary')).toMatch(VARIES_BY_ACCEPT);
  }
});

behaviour('answers 404 to HEAD of what there is no page for, without a body', source, async (host) => {
  const head = await host.send({ method: 'HEAD', path: '/site/nowhere', headers: [['Accept', 'text/html']] });
  expect([head.status, head.body.length]).toEqual([404, 0]);
});

const outside = 'docs/guide/pages.md: Pages';

behaviour(
  'answers a browser outside of the folder that has a page for that with a plain document',
  outside,
  async (host) => {
    for (const accept of ['text/html,application/xhtml+xml,*/*;q=0.8', 'application/json, text/html;q=0.1']) {
      const { status, body, header } = await host.send({ path: '/nowhere', headers: [['Accept', accept]] });
      expect([accept, status, header('content-type')]).toEqual([accept, 404, 'text/html; charset=utf-8']);
      expect(header('vary')).toMatch(VARIES_BY_ACCEPT);
      expect(body.toString()).toContain('<h1>Not found</h1>');
    }
  },
);

behaviour(
  'answers who does not name HTML with text outside of the folder that has a page for that',
  outside,
  async (host) => {
    for (const accept of [undefined, '*/*', 'text/*', 'application/json', 'text/html;q=0, */*']) {
      const headers = accept === undefined ? [] : [['Accept', accept] as const];
      const { status, body, header } = await host.send({ path: '/nowhere', headers });
      expect([accept, status, body.toString()]).toEqual([accept, 404, 'Not found']);
      expect(header('vary')).toMatch(VARIES_BY_ACCEPT);
    }
  },
);

behaviour('answers HEAD as GET where no folder has a page for that', outside, async (host) => {
  for (const [accept, type] of [
    ['text/html', /^text\/html/],
    ['*/*', /^text\/plain/],
  ] as const) {
    const head = await host.send({ method: 'HEAD', path: '/nowhere', headers: [['Accept', accept]] });
    expect([head.status, head.body.length]).toEqual([404, 0]);
    expect(head.header('content-type')).toMatch(type);
  }
});

behaviour(
  'serves the files that a page names, and lets them be kept',
  { source, needs: 'exportedFiles' },
  async (host) => {
    const text = await html(host, '/site');
    const script = /<script type="module" src="([^"]+)"/.exec(text)?.[1] ?? '';
    const style = /<link rel="stylesheet" href="([^"]+)"/.exec(text)?.[1] ?? '';
    for (const [path, type] of [
      [script, /javascript/],
      [style, /^text\/css/],
    ] as const) {
      const response = await host.fetch(path);
      expect([path, response.status, response.headers.get('content-type')]).toEqual([
        path,
        200,
        expect.stringMatching(type),
      ]);
    }
  },
);

behaviour('sends the first part of a page before the last one is there', source, async (host) => {
  const id = uniqueId();
  const connection = await host.connect();
  await connection.write({ target: host.target(`/site/streamed?id=${id}`), headers: [host.hostHeader] });
  const head = await connection.head();
  let text = '';
  for await (const piece of connection.pieces(head)) {
    text += piece.toString();
    if (text.includes('Waiting') && !text.includes('The last part')) await release(host, id);
  }
  connection.destroy();
  expect(text).toContain('The last part');
});

behaviour(
  'sends no script with a page that says so, and all of it at once',
  { source: 'docs/guide/pages.md: A page without JavaScript', needs: 'exportedFiles' },
  async (host) => {
    const text = await html(host, '/site/still');
    expect(text).toMatch(/<h1>Nothing moves<\/h1>.*<p>The last part<\/p>/s);
    expect(text).toContain('<link rel="stylesheet"');
    expect(text).not.toMatch(/<script|modulepreload|Waiting/);
  },
);
