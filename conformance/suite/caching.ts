import { gunzipSync } from 'node:zlib';
import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import type { Host } from '../host.ts';
import { json } from '../generic/expect-json.ts';
import { readAnswer } from '../page-data.ts';
import { release, signalled, uniqueId } from '../generic/signals.ts';

const needs = 'sharedCache';
const personal = 'private, no-cache';

behaviour('sends what says nothing of caches as private', 'decision 017', async (host) => {
  for (const [path, method] of [
    ['/body/text', 'POST'],
    ['/hello', 'GET'],
    ['/nowhere', 'GET'],
    ['/hello', 'DELETE'],
  ] as const) {
    const { headers } = await host.fetch(path, { method });
    expect([path, method, headers.get('cache-control')]).toEqual([path, method, personal]);
  }
});

behaviour('tells shared caches how long an answer is fresh', 'RFC 9111 section 5.2.2.10', async (host) => {
  const { headers } = await ask(host, 'plain');
  expect(headers.get('cache-control')).toBe('public, max-age=0, s-maxage=600');
});

behaviour('tells the caches of a CDN how long a stale answer may be given', 'RFC 9213 section 2', async (host) => {
  const { headers } = await ask(host, 'timed');
  const expected = 'public, max-age=60, stale-while-revalidate=600, stale-if-error=3600';
  expect(headers.get('cdn-cache-control')).toBe(expected);
});

/**
 * The headers that the cache of a platform reads: https://vercel.com/docs/caching,
 * https://docs.netlify.com/build/caching, Cloudflare's and no others.
 */
const OF_PLATFORMS: Record<string, [name: string, value: string, tagName: string]> = {
  vercel: ['vercel-cdn-cache-control', 'public, max-age=600', 'vercel-cache-tag'],
  netlify: ['netlify-cdn-cache-control', 'public, durable, max-age=600', 'netlify-cache-tag'],
  cloudflare: ['cloudflare-cdn-cache-control', 'public, max-age=600', 'cache-tag'],
};

behaviour('tells the cache of its platform by its own headers, and none of another', 'issue 22', async (host) => {
  const id = uniqueId();
  const { headers } = await ask(host, 'tagged', { id });
  for (const [platform, [name, value, tagName]] of Object.entries(OF_PLATFORMS)) {
    const isIts = host.name.replace(/^start-/, '').startsWith(platform);
    const expected = isIts ? [value, `/cached/tagged,tag-${id}`] : [null, null];
    expect([platform, headers.get(name), headers.get(tagName)]).toEqual([platform, ...expected]);
  }
});

behaviour('keeps the shortest time of several calls', 'issue 22', async (host) => {
  const { headers } = await ask(host, 'twice');
  expect(headers.get('cache-control')).toBe('public, max-age=0, s-maxage=60');
  expect(headers.get('cdn-cache-control')).toBe('public, max-age=60, stale-while-revalidate=5');
  expect(varyOf(headers)).toEqual(expect.arrayContaining(['x-a', 'x-b']));
});

behaviour('follows a rule of the config for a path', 'issue 22', async (host) => {
  const { headers } = await host.fetch('/cached/by-rule/x');
  expect(headers.get('cache-control')).toBe('public, max-age=0, s-maxage=60');
  expect(headers.get('cdn-cache-control')).toBe('public, max-age=60, stale-while-revalidate=5');
  expect(varyOf(headers)).toContain('x-theme');
});

behaviour("leaves a route's own Cache-Control to browsers", 'vercel/next.js#22319', async (host) => {
  const { headers } = await ask(host, 'own');
  expect(headers.get('cache-control')).toBe('public, max-age=5');
  expect(headers.get('cdn-cache-control')).toBe('public, max-age=600');
});

behaviour('sends as private what may not be kept, whatever was said', 'RFC 9111 section 3', async (host) => {
  for (const what of ['never', 'setting', 'part', 'fails', 'cookie', 'reads-jar', 'fills-jar', 'forwarded', 'nonce']) {
    const { headers } = await ask(host, what);
    expect([what, headers.get('cache-control'), headers.get('cdn-cache-control')]).toEqual([what, personal, null]);
  }
  const { headers } = await ask(host, 'private');
  expect([headers.get('cache-control'), headers.get('cdn-cache-control')]).toEqual(['private', null]);
});

behaviour(
  'sends as private what a route may not share, whatever its own headers say',
  'RFC 9111 section 3',
  async (host) => {
    for (const what of ['own-never', 'own-fills-jar', 'own-reads-jar']) {
      const { headers } = await ask(host, what);
      expect([what, headers.get('cache-control'), headers.get('cdn-cache-control')]).toEqual([what, personal, null]);
    }
  },
);

behaviour(
  'leaves a stricter Cache-Control, and that of a route without cache(), as it is',
  'RFC 9111 section 5.2',
  async (host) => {
    const strict = await ask(host, 'own-strict');
    expect(strict.headers.get('cache-control')).toBe('no-store');
    const alone = await ask(host, 'own-alone');
    expect(alone.headers.get('cache-control')).toBe('public, max-age=30');
  },
);

behaviour('sends what was asked with Authorization as private', 'RFC 9111 section 3.5', async (host) => {
  const { headers } = await ask(host, 'plain', { headers: { authorization: 'Basic YTpi' } });
  expect([headers.get('cache-control'), headers.get('cdn-cache-control')]).toEqual([personal, null]);
});

/** See conformance/app/lib/copies.ts. */
const WAYS = [
  'headers',
  'headers-of-request',
  'headers-of-response',
  'entries',
  'request-as-init',
  'clone',
  'fetched-request',
  'fetched-headers',
  'fetched-init',
];
/** The platform copies the request itself. */
const WAYS_OF_PLATFORM = ['request', 'request-with-init'];
const ada = { 'x-user': 'ada', cookie: 'session=ada' };
const VISITORS: Record<string, string>[] = [ada, { 'x-user': 'bob', cookie: 'session=bob' }, { 'x-user': 'eve' }, {}];

behaviour('sends as private what is made of copied headers', 'RFC 9111 section 4.1', async (host) => {
  await expectPersonal(host, WAYS, '/cached/copied');
});

behaviour('sends as private what is made of a copied request', 'RFC 9111 section 4.1', async (host) => {
  await expectPersonal(host, WAYS_OF_PLATFORM, '/cached/copied');
});

behaviour('sends as private what is made of a copied request after a rewrite', 'RFC 9111 section 4.1', async (host) => {
  await expectPersonal(host, WAYS_OF_PLATFORM, '/shown/copied');
});

behaviour(
  'gives nobody what is made of the copied headers of another',
  { source: 'cache poisoning', needs },
  async (host) => {
    for (const folder of ['/cached/copied', '/shown/copied']) {
      for (const way of [...WAYS, ...WAYS_OF_PLATFORM]) {
        const id = uniqueId();
        for (const headers of [...VISITORS, ...VISITORS]) {
          const response = await host.fetch(`${folder}/${way}?id=${id}`, { headers });
          expect([folder, way, await json(response)]).toEqual([folder, way, toSeen(headers)]);
        }
      }
    }
  },
);

behaviour(
  'gives nobody the data of a page made of the copied headers of another',
  { source: 'cache poisoning', needs },
  async (host) => {
    for (const way of [...WAYS, ...WAYS_OF_PLATFORM]) {
      const id = uniqueId();
      for (const headers of [...VISITORS, ...VISITORS]) {
        const response = await host.fetch(`/site/data/kept-copy?way=${way}&id=${id}&_appkit_data`, { headers });
        expect([way, readAnswer(await response.text()).data.at(-1)]).toEqual([way, toSeen(headers)]);
      }
    }
  },
);

behaviour(
  'gives nobody what a stream that may be kept has made of a header read later',
  'RFC 9111 section 4.1',
  async (host) => {
    const id = uniqueId();
    const visit = async (cookie: string): Promise<string> => {
      const response = await ask(host, 'late', { id, headers: { cookie } }).catch(() => undefined);
      return (await response?.text().catch(() => undefined)) ?? 'broken off';
    };
    expect(await visit('session=ada')).not.toContain('ada');
    expect(await visit('session=bob')).not.toMatch(/ada|bob/);
  },
);

behaviour('goes on when code that nobody awaits reads a header late', 'docs/guide/caching.md', async (host) => {
  const whole = await ask(host, 'floating');
  expect([whole.status, await whole.json()]).toEqual([200, { number: 1 }]);
  const stream = await ask(host, 'floating-beside-stream').catch(() => undefined);
  await stream?.text().catch(() => undefined);
  const next = await ask(host, 'plain');
  expect(next.status).toBe(200);
});

behaviour('sends a text that may be kept with its type', 'Fetch, "extract a body"', async (host) => {
  for (const sent of [{}, { cookie: '' }, { cookie: 'a=1' }]) {
    const { status, headers } = await ask(host, 'text', { headers: sent });
    expect([status, headers.get('content-type')?.toLowerCase()]).toEqual([200, 'text/plain;charset=utf-8']);
  }
});

behaviour('lets an answer be kept for whom it varies by their cookies', 'RFC 9110 section 12.5.5', async (host) => {
  const { headers } = await ask(host, 'by-cookie', { headers: { cookie: 'a=1' } });
  expect(headers.get('cache-control')).toBe('public, max-age=0, s-maxage=600');
  expect(varyOf(headers)).toContain('cookie');
});

behaviour('gives a kept answer without making it again', { source: 'RFC 9111 section 4', needs }, async (host) => {
  const id = uniqueId();
  const first = await ask(host, 'plain', { id });
  const second = await ask(host, 'plain', { id });
  expect([await json(first), await json(second)]).toEqual([{ number: 1 }, { number: 1 }]);
  expect([first.headers.get('age'), second.headers.get('age')]).toEqual([null, expect.stringMatching(/^\d+$/)]);
  expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'));
  expect(second.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=600');
});

behaviour('gives a kept answer to whom sends cookies', { source: 'RFC 9111 section 4', needs }, async (host) => {
  const id = uniqueId();
  await ask(host, 'plain', { id });
  expect(await json(await ask(host, 'plain', { id, headers: { cookie: 'a=1' } }))).toEqual({ number: 1 });
});

behaviour('keeps an answer for each query', { source: 'RFC 9111 section 2', needs }, async (host) => {
  const id = uniqueId();
  expect(await json(await ask(host, 'plain', { id }))).toEqual({ number: 1 });
  expect(await json(await ask(host, 'plain', { id, more: '&x' }))).toEqual({ number: 2 });
  expect(await json(await ask(host, 'plain', { id }))).toEqual({ number: 1 });
});

behaviour(
  'keeps an answer for each value that it depends on',
  { source: 'RFC 9111 section 4.1', needs },
  async (host) => {
    const id = uniqueId();
    const inLanguage = async (language: string): Promise<unknown[]> => {
      const response = await ask(host, 'language', { id, headers: { 'accept-language': language } });
      return [response.headers.get('x-language'), await json(response)];
    };
    expect(await inLanguage('de')).toEqual(['de', { number: 1 }]);
    expect(await inLanguage('en')).toEqual(['en', { number: 2 }]);
    expect(await inLanguage('de')).toEqual(['de', { number: 1 }]);
    expect(await inLanguage('en')).toEqual(['en', { number: 2 }]);
  },
);

behaviour('answers HEAD from what is kept', { source: 'RFC 9110 section 9.3.2', needs }, async (host) => {
  const id = uniqueId();
  const length = (await (await ask(host, 'plain', { id })).arrayBuffer()).byteLength;
  const head = await host.send({ method: 'HEAD', path: `/cached/plain?id=${id}` });
  expect([head.status, head.header('content-length'), head.body.length]).toEqual([200, String(length), 0]);
  expect(await json(await ask(host, 'plain', { id }))).toEqual({ number: 1 });
});

behaviour('answers 304 from what is kept', { source: 'RFC 9111 section 4.3.2', needs }, async (host) => {
  const id = uniqueId();
  await ask(host, 'etag', { id });
  const known = await ask(host, 'etag', { id, headers: { 'if-none-match': '"of-the-number"' } });
  expect([known.status, known.headers.get('etag'), await known.text()]).toEqual([304, '"of-the-number"', '']);
  expect(await json(await ask(host, 'etag', { id }))).toEqual({ number: 1 });
});

behaviour('makes one answer for all who ask at once', { source: 'issue 22', needs }, async (host) => {
  const id = uniqueId();
  const asked = Array.from({ length: 20 }, async () => json(await ask(host, 'slow', { id })));
  await signalled(host, `${id}-1-begun`);
  await release(host, `${id}-1-go`);
  expect(new Set((await Promise.all(asked)).map(({ number }) => number))).toEqual(new Set([1]));
});

behaviour('keeps a page, and its data by itself', { source: 'issue 22', needs }, async (host) => {
  const id = uniqueId();
  const headers = { cookie: 'session=ada', accept: 'text/html' };
  const page = async (more = ''): Promise<string> =>
    (await host.fetch(`/site/data/cached?id=${id}${more}`, { headers })).text();
  expect(await page()).toContain('number 1, seen nothing');
  // If a request comes from the platform itself, the response for a visitor with cookies may be made again without
  // them.
  const second = await page();
  expect(second).toMatch(/number [12], seen nothing/);
  expect(await page()).toBe(second);
  const data = await page('&_appkit_data');
  await page('&_appkit_data');
  for (const answer of [data, await page('&_appkit_data')]) {
    expect(readAnswer(answer).data.at(-1)).toMatchObject({ seen: 'nothing' });
  }
});

behaviour('keeps the data of a page for whom sends no cookies', { source: 'issue 22', needs }, async (host) => {
  const id = uniqueId();
  const ages = async (): Promise<(string | null)[]> =>
    Promise.all(
      ['', '&_appkit_data'].map(async (more) => {
        const response = await host.fetch(`/site/data/cached?id=${id}${more}`, { headers: { accept: 'text/html' } });
        await response.text();
        return response.headers.get('age');
      }),
    );
  expect(await ages()).toEqual([null, null]);
  expect(await ages()).toEqual([expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+$/)]);
});

behaviour('keeps no page, nor its data, of which a part has failed', { source: 'issue 22', needs }, async (host) => {
  for (const more of ['', '&_appkit_data']) {
    const id = uniqueId();
    const make = async (): Promise<Response> =>
      host.fetch(`/site/data/cached?id=${id}&fails${more}`, { headers: { accept: 'text/html' } });
    const first = await make();
    expect(first.status).toBe(200);
    expect(await first.text()).toContain('There is no such part.');
    const second = await make();
    expect([more, second.headers.get('age')]).toEqual([more, null]);
    expect(await second.text()).toContain('There is no such part.');
  }
});

behaviour('keeps no page whose loader has looked at the session', { source: 'issue 22', needs }, async (host) => {
  const id = uniqueId();
  const seen = async (cookie: string): Promise<string> => {
    const headers = { cookie, accept: 'text/html' };
    return (await host.fetch(`/site/data/cached?id=${id}&looks`, { headers })).text();
  };
  expect(await seen('session=ada')).toContain('seen session=ada');
  expect(await seen('session=bob')).toContain('seen session=bob');
});

behaviour('keeps no redirect of who opens the URL of data', 'Fetch Metadata, section 2.2', async (host) => {
  const path = `/site/data/kept-copy?way=headers&id=${uniqueId()}&_appkit_data`;
  const opened = await host.send({ path, headers: [['Sec-Fetch-Mode', 'navigate']] });
  expect([opened.status, opened.header('cache-control')]).toEqual([307, personal]);
});

const exported = { source: 'issue 22', needs: 'exportedFiles' } as const;
behaviour('tells how the data of a page may be kept as of the page', exported, async (host) => {
  const headers = { cookie: 'session=ada' };
  for (const more of ['', '&_appkit_data']) {
    const response = await host.fetch(`/site/data/cached?id=${uniqueId()}${more}`, { headers });
    expect([more, response.headers.get('cache-control')]).toEqual([more, 'public, max-age=0, s-maxage=600']);
  }
});

behaviour('gives a stale answer while it makes a new one', { source: 'RFC 5861 section 3', needs }, async (host) => {
  const id = uniqueId();
  const number = async (): Promise<unknown> => (await json(await ask(host, 'stale', { id })))['number'];
  expect([await number(), await number()]).toEqual([1, 1]);
  const end = performance.now() + 60_000;
  let last = await number();
  while (last === 1 && performance.now() < end) last = await number();
  expect(last).toBeGreaterThan(1);
});

behaviour(
  'makes a new answer in the background for the same host',
  { source: 'RFC 5861 section 3', needs },
  async (host) => {
    const id = uniqueId();
    const make = async (): Promise<[number: unknown, host: string | null]> => {
      const response = await ask(host, 'stale-host', { id });
      return [(await json(response))['number'], response.headers.get('x-host')];
    };
    const [, first] = await make();
    expect(first).not.toBe('null');
    const end = performance.now() + 60_000;
    let last = await make();
    while (last[0] === 1 && performance.now() < end) last = await make();
    expect(last).toEqual([expect.any(Number), first]);
  },
);

behaviour('gives a stale answer when a new one fails', { source: 'RFC 5861 section 4', needs }, async (host) => {
  const id = uniqueId();
  expect(await json(await ask(host, 'stale-if-error', { id }))).toEqual({ number: 1 });
  expect(await json(await ask(host, 'stale-if-error', { id }))).toEqual({ number: 1 });
  const head = await host.fetch(`/cached/stale-if-error?id=${id}`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  expect((await ask(host, 'stale-if-error', { id, more: '&other' })).status).toBe(500);
});

behaviour('keeps nothing that sets a cookie', { source: 'nuxt/nuxt#28527', needs }, async (host) => {
  await expectAnew(host, 'setting');
});

behaviour('keeps no failure, no part and nothing private', { source: 'RFC 9111 section 3', needs }, async (host) => {
  for (const what of ['never', 'part', 'private']) await expectAnew(host, what);
  const id = uniqueId();
  expect(await (await ask(host, 'fails', { id })).json()).toEqual({ error: 'number 1' });
  expect(await (await ask(host, 'fails', { id })).json()).toEqual({ error: 'number 2' });
});

behaviour('keeps nothing for which a cookie was looked at', { source: 'issue 22', needs }, async (host) => {
  const id = uniqueId();
  const seen = async (headers: Record<string, string>): Promise<unknown> =>
    (await ask(host, 'cookie', { id, headers })).headers.get('x-cookie');
  expect([await seen({}), await seen({ cookie: 'a=1' }), await seen({})]).toEqual(['null', 'a=1', 'null']);
});

behaviour('gives nothing kept to whom sends Authorization', { source: 'RFC 9111 section 3.5', needs }, async (host) => {
  const id = uniqueId();
  const headers = { authorization: 'Basic YTpi' };
  expect(await json(await ask(host, 'plain', { id, headers }))).toEqual({ number: 1 });
  expect(await json(await ask(host, 'plain', { id }))).toEqual({ number: 2 });
  expect(await json(await ask(host, 'plain', { id, headers }))).toEqual({ number: 3 });
  expect(await json(await ask(host, 'plain', { id }))).toEqual({ number: 2 });
});

behaviour(
  'is not filled by a header that the answer does not name',
  { source: 'cache poisoning', needs },
  async (host) => {
    const id = uniqueId();
    const seen = async (headers: Record<string, string>): Promise<unknown> =>
      (await ask(host, 'forwarded', { id, headers })).headers.get('x-seen');
    expect([await seen({ 'x-forwarded-host': 'evil.test' }), await seen({})]).toEqual(['evil.test', 'null']);
  },
);

behaviour('forgets by tag', { source: 'issue 22', needs }, async (host) => {
  const [id, other] = [uniqueId(), uniqueId()];
  const numbers = async (): Promise<unknown[]> =>
    Promise.all([id, other].map(async (one) => (await json(await ask(host, 'tagged', { id: one })))['number']));
  expect([await numbers(), await numbers()]).toEqual([
    [1, 1],
    [1, 1],
  ]);
  await invalidate(host, `tag-${id}`);
  expect([await numbers(), await numbers()]).toEqual([
    [2, 1],
    [2, 1],
  ]);
});

behaviour('forgets by path, whatever the query', { source: 'issue 22', needs }, async (host) => {
  const id = uniqueId();
  const number = async (): Promise<unknown> => (await json(await ask(host, 'plain', { id })))['number'];
  expect([await number(), await number()]).toEqual([1, 1]);
  await invalidate(host, '/cached/plain/');
  expect(await number()).toBe(2);
});

behaviour('forgets what is written to', { source: 'RFC 9111 section 4.4', needs }, async (host) => {
  const id = uniqueId();
  expect(await json(await ask(host, 'plain', { id }))).toEqual({ number: 1 });
  await host.fetch('/cached/plain', { method: 'POST' });
  expect(await json(await ask(host, 'plain', { id }))).toEqual({ number: 2 });
});

behaviour(
  'keeps no old answer that was being made while it was forgotten',
  { source: 'issue 22', needs },
  async (host) => {
    const id = uniqueId();
    const old = ask(host, 'slow', { id });
    await signalled(host, `${id}-1-begun`);
    await invalidate(host, `tag-${id}`);
    const young = ask(host, 'slow', { id });
    await signalled(host, `${id}-2-begun`);
    await release(host, `${id}-2-go`);
    expect(await json(await young)).toEqual({ number: 2 });
    await release(host, `${id}-1-go`);
    expect(await json(await old)).toEqual({ number: 1 });
    expect(await json(await ask(host, 'slow', { id }))).toEqual({ number: 2 });
  },
);

behaviour(
  'sends the first part of what it will keep before the last',
  { source: 'adapters.md case 30', needs },
  async (host) => {
    const id = uniqueId();
    const response = await ask(host, 'stream', { id });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe('number 1, ');
    await release(host, `${id}-second`);
    expect((await reader?.read())?.value).toBe('second.');
    expect((await reader?.read())?.done).toBe(true);
    expect(await (await ask(host, 'stream', { id })).text()).toBe('number 1, second.');
  },
);

behaviour(
  'streams one answer to all who ask meanwhile, even when the first of them leaves',
  { source: 'issue 22', needs },
  async (host) => {
    const id = uniqueId();
    const first = await host.connect();
    await first.write(`GET ${host.target(`/cached/stream?id=${id}`)} HTTP/1.1\r\nHost: ${host.hostHeader[1]}\r\n\r\n`);
    await first.head();
    const others = await Promise.all(Array.from({ length: 20 }, () => ask(host, 'stream', { id })));
    first.destroy();
    // By then the server has seen it leave.
    for (let count = 0; count < 50; count++) await (await host.fetch('/hello')).text();
    await release(host, `${id}-second`);
    const texts = await Promise.all(others.map((response) => response.text()));
    expect(new Set(texts)).toEqual(new Set(['number 1, second.']));
    expect(await (await ask(host, 'stream', { id })).text()).toBe('number 1, second.');
  },
);

behaviour('keeps no stream that breaks off', { source: 'RFC 9111 section 3', needs }, async (host) => {
  const id = uniqueId();
  const reader = (await ask(host, 'stream', { id, more: '&fails' })).body?.getReader();
  await reader?.read();
  await release(host, `${id}-second`);
  await expect(reader?.read().then(() => reader.read())).rejects.toThrow();
  expect(await (await ask(host, 'stream', { id, more: '&fails' })).text()).toBe('number 2, second.');
});

behaviour(
  'compresses a kept answer for each client',
  { source: 'RFC 9110 section 12.5.3', needs: ['sharedCache', 'compression'] },
  async (host) => {
    const id = uniqueId();
    const inCoding = (coding: string) =>
      host.send({ path: `/cached/long?id=${id}`, headers: [['Accept-Encoding', coding]] });
    const plain = await inCoding('identity');
    const zipped = await inCoding('gzip');
    expect([plain.header('content-encoding'), zipped.header('content-encoding')]).toEqual([null, 'gzip']);
    expect(gunzipSync(zipped.body).toString()).toBe(plain.body.toString());
    expect(JSON.parse(plain.body.toString())).toMatchObject({ number: 1 });
  },
);

interface Asked {
  id?: string;
  headers?: Record<string, string>;
  more?: string;
}

function ask(host: Host, what: string, { id = uniqueId(), headers = {}, more = '' }: Asked = {}): Promise<Response> {
  return host.fetch(`/cached/${what}?id=${id}${more}`, { headers });
}

/** What a visitor sees of the headers sent. */
function toSeen(headers: Record<string, string>): unknown {
  return { user: headers['x-user'] ?? null, cookie: headers['cookie'] ?? null };
}

async function expectPersonal(host: Host, ways: readonly string[], folder: string): Promise<void> {
  for (const way of ways) {
    const response = await host.fetch(`${folder}/${way}?id=${uniqueId()}`, { headers: ada });
    const { headers, status } = response;
    const seen = await json(response);
    expect([way, status, seen]).toEqual([way, 200, toSeen(ada)]);
    const kept = [headers.get('cache-control'), headers.get('cdn-cache-control')];
    expect([way, ...kept]).toEqual([way, personal, null]);
  }
}

async function expectAnew(host: Host, what: string): Promise<void> {
  const id = uniqueId();
  expect([what, await (await ask(host, what, { id })).json()]).toEqual([what, { number: 1 }]);
  expect([what, await (await ask(host, what, { id })).json()]).toEqual([what, { number: 2 }]);
}

async function invalidate(host: Host, what: string): Promise<void> {
  const response = await host.fetch(`/cached/invalidate?what=${encodeURIComponent(what)}`, { method: 'POST' });
  expect(response.status, await response.text()).toBe(200);
}

function varyOf(headers: Headers): string[] {
  return (headers.get('vary') ?? '').toLowerCase().split(/\s*,\s*/);
}
