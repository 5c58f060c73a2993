import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import type { Host } from '../host.ts';

const needs = 'ownFiles';
const DIGITS = '0123456789';

behaviour(
  'lets files of the export be kept for a year',
  { source: 'RFC 8246 section 2', needs: 'exportedFiles' },
  async (host) => {
    const page = await (await host.fetch('/site')).text();
    const [asset = ''] = /\/_appkit\/assets\/[^"]+\.js/.exec(page) ?? [];
    const response = await host.fetch(asset);
    expect([response.status, response.headers.get('cache-control')]).toEqual([
      200,
      'public, max-age=31536000, immutable',
    ]);
  },
);

behaviour('asks for every other file again', { source: 'RFC 9111 section 5.2.2.2', needs }, async (host) => {
  const { headers } = await host.fetch('/digits.txt');
  expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
  expect(headers.get('etag')).toMatch(/^(?:W\/)?"[^"]+"$/);
});

behaviour('answers 304 to the ETag of a file', { source: 'RFC 9110 section 13.1.2', needs }, async (host) => {
  const etag = await etagOf(host, '/digits.txt');
  for (const value of [etag, `"other", ${etag}`, `W/${etag.replace(/^W\//, '')}`, '*']) {
    const response = await host.fetch('/digits.txt', { headers: { 'if-none-match': value } });
    expect([response.status, response.headers.get('etag'), await response.text()]).toEqual([304, etag, '']);
  }
  const other = await host.fetch('/digits.txt', { headers: { 'if-none-match': '"other"' } });
  expect([other.status, await other.text()]).toEqual([200, DIGITS]);
});

behaviour('asks the ETag of a file before its date', { source: 'RFC 9110 section 13.2.2', needs }, async (host) => {
  const headers = { 'if-none-match': '"other"', 'if-modified-since': new Date().toUTCString() };
  expect((await host.fetch('/digits.txt', { headers })).status).toBe(200);
});

behaviour('answers 304 to the date of a file', { source: 'RFC 9110 section 13.1.3', needs }, async (host) => {
  const modified = (await host.fetch('/digits.txt')).headers.get('last-modified') ?? '';
  const since = async (date: string): Promise<number> =>
    (await host.fetch('/digits.txt', { headers: { 'if-modified-since': date } })).status;
  expect(await since(modified)).toBe(304);
  expect(await since(new Date(Date.parse(modified) - 1000).toUTCString())).toBe(200);
});

behaviour(
  'answers 412 when If-Match names another file',
  { source: 'RFC 9110 section 13.1.1', needs },
  async (host) => {
    const headers = { 'if-match': '"other"' };
    expect((await host.fetch('/digits.txt', { headers })).status).toBe(412);
    const etag = await etagOf(host, '/digits.txt');
    expect((await host.fetch('/digits.txt', { headers: { 'if-match': `"other", ${etag}` } })).status).toBe(200);
  },
);

behaviour('sends a part of a file', { source: 'RFC 9110 section 14.2', needs }, async (host) => {
  expect(await askRange(host, 'bytes=2-4')).toEqual([206, 'bytes 2-4/10', '3', '234']);
  expect(await askRange(host, 'bytes=7-')).toEqual([206, 'bytes 7-9/10', '3', '789']);
  expect(await askRange(host, 'bytes=8-99')).toEqual([206, 'bytes 8-9/10', '2', '89']);
});

behaviour('sends the end of a file', { source: 'RFC 9110 section 14.1.2', needs }, async (host) => {
  expect(await askRange(host, 'bytes=-3')).toEqual([206, 'bytes 7-9/10', '3', '789']);
  expect(await askRange(host, 'bytes=-99')).toEqual([206, 'bytes 0-9/10', '10', DIGITS]);
});

behaviour(
  'answers 416 to a part past the end of a file',
  { source: 'RFC 9110 section 15.5.17', needs },
  async (host) => {
    for (const range of ['bytes=10-', 'bytes=99-100', 'bytes=-0']) {
      const response = await host.fetch('/digits.txt', { headers: { range } });
      expect([range, response.status, response.headers.get('content-range')]).toEqual([range, 416, 'bytes */10']);
      expect(await response.text()).not.toContain(DIGITS);
    }
  },
);

behaviour('sends the whole file for a range that is none', { source: 'RFC 9110 section 14.2', needs }, async (host) => {
  for (const range of ['bytes=5-2', 'bytes=a-b', 'bytes=', 'lines=1-2', 'bytes=-']) {
    const response = await host.fetch('/digits.txt', { headers: { range } });
    expect([range, response.status, await response.text()]).toEqual([range, 200, DIGITS]);
  }
});

behaviour(
  'sends a part only of the file that If-Range names',
  { source: 'RFC 9110 section 13.1.5', needs },
  async (host) => {
    const ask = async (validator: string): Promise<number> =>
      (await host.fetch('/digits.txt', { headers: { range: 'bytes=0-3', 'if-range': validator } })).status;
    const response = await host.fetch('/digits.txt');
    const etag = response.headers.get('etag') ?? '';
    expect(await ask('"other"')).toBe(200);
    expect(await ask(new Date(0).toUTCString())).toBe(200);
    // A weak validator cannot be used for a part.
    expect(await ask(`W/${etag.replace(/^W\//, '')}`)).toBe(200);
    expect(await ask(etag)).toBe(206);
  },
);

behaviour(
  'answers HEAD of a file as GET, without the file',
  { source: 'RFC 9110 section 9.3.2', needs },
  async (host) => {
    const names = ['content-type', 'content-length', 'etag', 'last-modified', 'cache-control', 'accept-ranges'];
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map(async (method) => {
        const { status, header, body } = await host.send({ method, path: '/digits.txt' });
        return { status, headers: names.map((name) => header(name)), length: body.length };
      }),
    );
    expect(head).toEqual({ ...get, length: 0 });
    expect(head?.headers).toContain('10');
  },
);

behaviour('does not look at the range of HEAD', { source: 'RFC 9110 section 14.2', needs }, async (host) => {
  const answer = await host.send({ method: 'HEAD', path: '/digits.txt', headers: [['Range', 'bytes=0-3']] });
  expect([answer.status, answer.header('content-length')]).toEqual([200, '10']);
});

behaviour('answers 405 to another method of a file', { source: 'RFC 9110 section 15.5.6', needs }, async (host) => {
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const response = await host.fetch('/digits.txt', { method });
    expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD']);
    expect(await response.text()).not.toContain(DIGITS);
  }
});

behaviour('serves files of odd names', 'RFC 3986 section 2.1', async (host) => {
  const files = {
    '100%.txt': 'percent\n',
    'a%20b.txt': 'escaped\n',
    'what?.txt': 'question\n',
    'a#b.txt': 'hash\n',
    'a&b+c.txt': 'plus and ampersand\n',
    'café ☕.txt': 'unicode\n',
  };
  for (const [name, content] of Object.entries(files)) {
    const response = await host.fetch(`/odd/${encodeURIComponent(name)}`);
    expect([name, response.status, await response.text()]).toEqual([name, 200, content]);
  }
});

behaviour('takes the query for no part of a name', 'RFC 3986 section 3.4', async (host) => {
  const response = await host.fetch('/digits.txt?v=1/../2&x=%zz');
  expect([response.status, await response.text()]).toEqual([200, DIGITS]);
});

behaviour(
  'gives each kind of file its media type and charset',
  { source: 'RFC 9110 section 8.3', needs },
  async (host) => {
    const types = {
      '/page.html': 'text/html; charset=utf-8',
      '/digits.txt': 'text/plain; charset=utf-8',
      '/nested/data.json': 'application/json; charset=utf-8',
      '/types/module.mjs': 'text/javascript; charset=utf-8',
      '/types/style.css': 'text/css; charset=utf-8',
      '/types/dot.svg': 'image/svg+xml',
      '/types/app.webmanifest': 'application/manifest+json; charset=utf-8',
      '/types/unknown.appkit': 'application/octet-stream',
    };
    for (const [path, type] of Object.entries(types)) {
      expect([path, (await host.fetch(path)).headers.get('content-type')]).toEqual([path, type]);
    }
  },
);

behaviour(
  'leads to the slash that the index of a folder needs',
  { source: 'relative links of a page', needs },
  async (host) => {
    const response = await host.fetch('/nested?a=b');
    const location = new URL(response.headers.get('location') ?? '', `${host.origin}${host.target('/nested')}`);
    expect([response.status, location.href]).toEqual([301, `${host.origin}${host.target('/nested/')}?a=b`]);
    expect(response.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
  },
);

behaviour(
  'leads a page away from a slash that it does not have',
  { source: 'relative links of a page', needs },
  async (host) => {
    const response = await host.fetch('/page/?a=b');
    const location = new URL(response.headers.get('location') ?? '', `${host.origin}${host.target('/page/')}`);
    expect([response.status, location.href]).toEqual([301, `${host.origin}${host.target('/page')}?a=b`]);
  },
);

behaviour('finds no file below another', { source: 'RFC 3986 section 3.3', needs }, async (host) => {
  for (const path of ['/digits.txt/', '/digits.txt/digits.txt', '/nested//', '/nested//data.json', '/digits.txt%00']) {
    const response = await host.send({ path });
    expect([path, response.status >= 400 && response.status < 500]).toEqual([path, true]);
    expect(response.body.toString()).not.toContain(DIGITS);
  }
});

async function etagOf(host: Host, path: string): Promise<string> {
  return (await host.fetch(path)).headers.get('etag') ?? 'none';
}

async function askRange(host: Host, range: string): Promise<unknown[]> {
  const response = await host.fetch('/digits.txt', { headers: { range } });
  const { status, headers } = response;
  return [status, headers.get('content-range'), headers.get('content-length'), await response.text()];
}
