import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createStaticFiles } from './index.ts';

const SCRIPT = 'console.log("hello");\n'.repeat(20);
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

let folder: string;
let server: Server;
const errors: unknown[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'appkit-static-'));
  const contents: Record<string, string | Buffer> = {
    'secret.txt': 'outside',
    'client/index.html': '<h1>home</h1>',
    'client/about.html': '<h1>about</h1>',
    'client/docs/index.html': '<h1>docs</h1>',
    'client/images/dot.svg': '<svg/>',
    'client/alphabet.txt': ALPHABET,
    'client/a b/é.txt': 'decoded',
    'client/large.txt': 'x'.repeat(1_000_000),
    'client/app.js': SCRIPT,
    'client/_appkit/assets/stream-57163108.js': 'hashed',
    'client/_headers': 'for Netlify and Cloudflare',
    'client/apps/_headers': 'a file like any other',
    'client/.well-known/apple-app-site-association': '{}',
    'client/edited.txt': 'edited',
    'client/back\\slash.txt': 'a separator on Windows',
    'client/.env': 'SECRET=1',
    'client/.git/config': 'hidden',
    'client/docs/.well-known/x': 'hidden',
    'client/.well-known/security.txt': 'Contact: mailto:a@example.com',
  };
  for (const [name, content] of Object.entries(contents)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  await writeManifest({ 'alphabet.txt': ALPHABET, 'edited.txt': 'before' });
  await symlink(path.join(folder, 'secret.txt'), path.join(folder, 'client/out.txt'));
  await symlink(folder, path.join(folder, 'client/out'));
  await symlink('.', path.join(folder, 'client/docs/loop'));
  await symlink('alphabet.txt', path.join(folder, 'client/link.txt'));
  await symlink('nothing', path.join(folder, 'client/broken.txt'));
  const files = createStaticFiles(path.join(folder, 'client'), { onError: (error) => void errors.push(error) });
  server = createServer((request, response) => {
    files(request, response, () => {
      response.writeHead(404, { 'x-answered-by': 'handler' }).end('handler');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

describe('the file for a path', () => {
  it('sends a file with its type, length and validators', async () => {
    const { status, headers, body } = await get('/alphabet.txt');
    expect(status).toBe(200);
    expect(body).toBe(ALPHABET);
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '26',
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=0, must-revalidate',
      etag: `"${hashOf(ALPHABET)}"`,
      'last-modified': expect.stringMatching(/GMT$/),
    });
  });

  it('answers HEAD with only the headers', async () => {
    const { status, headers, body } = await get('/alphabet.txt', { method: 'HEAD' });
    expect([status, headers['content-length'], body]).toEqual([200, '26', '']);
  });

  it('refuses every other method for the name of a file', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers, body } = await get('/alphabet.txt', { method });
      expect([status, headers['allow'], body]).toEqual([405, 'GET, HEAD', 'Method not allowed']);
    }
  });

  it('leaves every other method at the path of a page to the handler, which may have a route there', async () => {
    for (const target of ['/', '/about', '/docs/', '/docs']) {
      expect(await get(target, { method: 'POST' })).toMatchObject(HANDLER);
    }
  });

  it('redirects a page away from a slash', async () => {
    const { status, headers } = await get('/about/?x=1');
    expect([status, headers['location']]).toEqual([301, '/about?x=1']);
  });

  it('sends the file that links an iOS app to the site with the type that iOS requires', async () => {
    const { headers } = await get('/.well-known/apple-app-site-association');
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('sends index.html for the root and for a folder', async () => {
    expect((await get('/')).body).toBe('<h1>home</h1>');
    expect((await get('/docs/')).body).toBe('<h1>docs</h1>');
  });

  it('sends about.html for /about', async () => {
    expect((await get('/about')).body).toBe('<h1>about</h1>');
  });

  it('ignores the query', async () => {
    expect((await get('/alphabet.txt?v=1/../2')).body).toBe(ALPHABET);
    expect((await get('/?x=1')).body).toBe('<h1>home</h1>');
  });

  it('finds a file at a target that the URL parser would shorten', async () => {
    for (const target of ['/x/../alphabet.txt', '/./alphabet.txt', '/docs/%2E%2e/alphabet.txt?v', '/../alphabet.txt'])
      expect((await get(target)).body).toBe(ALPHABET);
    for (const target of ['/x/../out.txt', '/x/../.env', '/x/../..%2fsecret.txt', '//x/../secret.txt', '/x/../%'])
      expect(await get(target)).toMatchObject(HANDLER);
  });

  it('decodes each segment once', async () => {
    expect((await get('/a%20b/%C3%A9.txt')).body).toBe('decoded');
    expect(await get('/a%2520b/%C3%A9.txt')).toMatchObject(HANDLER);
  });

  it('adds the slash a folder needs, keeping the query', async () => {
    const { status, headers } = await get('/docs?x=1');
    expect([status, headers['location'], headers['cache-control']]).toEqual([
      301,
      '/docs/?x=1',
      'public, max-age=0, must-revalidate',
    ]);
  });

  it('leaves a folder without index.html to the handler', async () => {
    expect(await get('/images')).toMatchObject(HANDLER);
    expect(await get('/images/')).toMatchObject(HANDLER);
  });

  it('reads an absolute request target', async () => {
    expect((await get('http://elsewhere.example/alphabet.txt')).body).toBe(ALPHABET);
  });
});

describe('what is refused', () => {
  it('leaves hidden files to the handler, except those of .well-known', async () => {
    for (const target of ['/_headers', '/.env', '/%2eenv', '/.git/config', '/.git/', '/docs/.well-known/x']) {
      expect(await get(target)).toMatchObject(HANDLER);
    }
    expect((await get('/.well-known/security.txt')).body).toContain('Contact');
    expect(await get('/.well-known/../.env')).toMatchObject(HANDLER);
    expect((await get('/apps/_headers')).body).toContain('like any other');
  });

  it('does not leave the folder', async () => {
    const targets = [
      '/../secret.txt',
      '/%2e%2e/secret.txt',
      '/..%2fsecret.txt',
      '/docs/../../secret.txt',
      '/..\\secret.txt',
      '/..%5csecret.txt',
      '/back\\slash.txt',
      '/back%5Cslash.txt',
    ];
    for (const target of targets) expect(await get(target)).toMatchObject(HANDLER);
  });

  it('leaves NUL, malformed encoding and empty segments to the handler', async () => {
    for (const target of [
      '/alphabet.txt%00',
      '/%00',
      '/%',
      '/%zz.txt',
      '/%E0%A4.txt',
      '//alphabet.txt',
      '/docs//',
      '/alphabet.txt/',
    ]) {
      expect(await get(target)).toMatchObject(HANDLER);
    }
  });

  it('never redirects to another host', async () => {
    for (const target of [
      '//docs',
      '//evil.example',
      '//evil.example/%2e%2e',
      '/\\evil.example',
      '//evil.example/docs',
      '/%2fdocs',
    ]) {
      expect(await get(target)).toMatchObject(HANDLER);
    }
  });

  it('leaves a name too long for a file to the handler', async () => {
    expect(await get(`/${'x'.repeat(5000)}`)).toMatchObject(HANDLER);
  });
});

describe('links', () => {
  it('are not followed out of the folder', async () => {
    for (const target of [
      '/out.txt',
      '/out/secret.txt',
      '/out/client/alphabet.txt',
      '/broken.txt',
      '/docs/loop/index.html',
    ])
      expect(await get(target)).toMatchObject(HANDLER);
  });

  it('are followed within it', async () => {
    expect((await get('/link.txt')).body).toBe(ALPHABET);
  });
});

describe('files that change while they are served', () => {
  it('are sent with their current length, under another ETag', async () => {
    const file = path.join(folder, 'client/changes.txt');
    await writeFile(file, 'short');
    const files = createStaticFiles(path.join(folder, 'client'));
    const ask = async (headers: Record<string, string> = {}): Promise<Response | undefined> =>
      files.fetch(new Request('http://localhost/changes.txt', { headers }));
    const before = (await ask())?.headers.get('etag') ?? '';
    await writeFile(file, 'longer than before');
    const after = await ask();
    expect([await after?.text(), after?.headers.get('content-length')]).toEqual(['longer than before', '18']);
    expect(after?.headers.get('etag')).not.toBe(before);
    await rm(file);
    expect((await ask())?.status).toBe(404);
  });

  it('are looked up for each request when live', async () => {
    const file = path.join(folder, 'client/comes.txt');
    const files = createStaticFiles(path.join(folder, 'client'), { live: true });
    const request = new Request('http://localhost/comes.txt');
    expect(files.fetch(request)).toBeUndefined();
    await writeFile(file, 'here');
    expect(await (await files.fetch(request))?.text()).toBe('here');
    await rm(file);
    expect(files.fetch(request)).toBeUndefined();
    for (const target of ['out.txt', 'out/secret.txt', '.env', '..%2fsecret.txt', 'broken.txt', `${'x'.repeat(300)}`])
      expect(files.fetch(new Request(`http://localhost/${target}`))).toBeUndefined();
  });

  it('do not have the ETag of the export when they were edited afterwards, even to the same length', async () => {
    const { etag } = (await get('/edited.txt')).headers;
    expect(etag).toMatch(/^W\//);
  });

  it('may be none', () => {
    const files = createStaticFiles(path.join(folder, 'nowhere'));
    expect(files.fetch(new Request('http://localhost/'))).toBeUndefined();
  });
});

describe('by fetch', () => {
  const ask = async (target: string, init?: RequestInit): Promise<Response | undefined> =>
    createStaticFiles(path.join(folder, 'client')).fetch(new Request(`http://localhost${target}`, init));

  it('answers like a Node server', async () => {
    for (const [target, headers] of [
      ['/alphabet.txt', {}],
      ['/alphabet.txt', { range: 'bytes=3-5' }],
      ['/alphabet.txt', { range: 'bytes=30-' }],
      ['/alphabet.txt', { 'if-none-match': '*' }],
      ['/alphabet.txt', { 'if-match': '"x"' }],
      ['/docs?a=b', {}],
    ] as const) {
      const byNode = await get(target, { headers });
      const byFetch = await ask(target, { headers });
      const { date: _, connection: __, ...sent } = byNode.headers;
      expect([byFetch?.status, await byFetch?.text()]).toEqual([byNode.status, byNode.body]);
      // The length of a short text is that of the text.
      expect(Object.fromEntries(byFetch?.headers ?? [])).toEqual(sent);
    }
  });

  it('sends a large file in parts', async () => {
    const text = await (await ask('/large.txt'))?.text();
    expect(text?.length).toBe(1_000_000);
  });

  it('answers HEAD and another method', async () => {
    const head = await ask('/large.txt', { method: 'HEAD' });
    expect([head?.status, head?.headers.get('content-length'), await head?.text()]).toEqual([200, '1000000', '']);
    const put = await ask('/large.txt', { method: 'PUT' });
    expect([put?.status, put?.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('returns undefined when no file matches', async () => {
    for (const target of ['/missing', '/_headers', '/.env', '/%zz', '/out.txt'])
      expect(await ask(target)).toBeUndefined();
  });
});

describe('a file that a client already has', () => {
  it('answers 304 to the ETag, weakly compared, and to a list of them', async () => {
    const { etag = '' } = (await get('/alphabet.txt')).headers;
    for (const value of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
      const { status, body, headers } = await get('/alphabet.txt', { headers: { 'if-none-match': value } });
      expect([status, body, headers['etag']]).toEqual([304, '', etag]);
    }
  });

  it('answers 304 to the date of the last change, and the file to an earlier date', async () => {
    const modified = (await get('/alphabet.txt')).headers['last-modified'] ?? '';
    expect((await get('/alphabet.txt', { headers: { 'if-modified-since': modified } })).status).toBe(304);
    const older = new Date(Date.parse(modified) - 1000).toUTCString();
    expect((await get('/alphabet.txt', { headers: { 'if-modified-since': older } })).status).toBe(200);
  });

  it('answers 412 when a precondition fails', async () => {
    const { status, body, headers } = await get('/alphabet.txt', { headers: { 'if-match': '"other"' } });
    expect([status, body, headers['content-type'], headers['etag']]).toEqual([
      412,
      'Precondition failed',
      'text/plain',
      undefined,
    ]);
  });

  it('lets caches keep files that an export has named by their hash for a year', async () => {
    const { headers } = await get('/_appkit/assets/stream-57163108.js');
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  });
});

describe('ranges', () => {
  it.each([
    ['bytes=0-3', 'abcd', 'bytes 0-3/26'],
    ['bytes=20-', 'uvwxyz', 'bytes 20-25/26'],
    ['bytes=-4', 'wxyz', 'bytes 22-25/26'],
    ['bytes=20-999', 'uvwxyz', 'bytes 20-25/26'],
    ['bytes=-999', ALPHABET, 'bytes 0-25/26'],
  ])('answers %s with 206', async (range, body, contentRange) => {
    const answer = await get('/alphabet.txt', { headers: { range } });
    expect([answer.status, answer.body, answer.headers['content-range']]).toEqual([206, body, contentRange]);
  });

  it('answers 416 with the length when a range is past the end', async () => {
    const { status, headers, body } = await get('/alphabet.txt', { headers: { range: 'bytes=26-' } });
    expect([status, headers['content-range'], headers['content-type']]).toEqual([416, 'bytes */26', 'text/plain']);
    expect(body).toBe('Range not satisfiable');
  });

  it('sends the whole file for a range it does not understand', async () => {
    for (const range of ['pages=1-2', 'bytes=z', 'bytes=9-1']) {
      expect((await get('/alphabet.txt', { headers: { range } })).body).toBe(ALPHABET);
    }
  });

  it('sends the whole file when If-Range names another version', async () => {
    const headers = { range: 'bytes=0-3', 'if-range': '"other"' };
    expect(await get('/alphabet.txt', { headers })).toMatchObject({ status: 200, body: ALPHABET });
  });

  it('ignores a range on HEAD', async () => {
    const { status, headers } = await get('/alphabet.txt', { method: 'HEAD', headers: { range: 'bytes=0-3' } });
    expect([status, headers['content-length'], headers['accept-ranges']]).toEqual([200, '26', 'bytes']);
  });
});

describe('files that an export has compressed', () => {
  it('are sent in the coding that the client likes best', async () => {
    const answers = [];
    for (const accept of ['gzip, br', 'gzip', 'identity', 'br;q=0']) {
      const { headers, body } = await get('/app.js', { headers: { 'accept-encoding': accept } });
      answers.push([headers['content-encoding'], headers['vary'], headers['etag'], body]);
    }
    const etag = hashOf(SCRIPT);
    expect(answers).toEqual([
      ['br', 'Accept-Encoding', `"${etag}-br"`, 'coded by br'],
      ['gzip', 'Accept-Encoding', `"${etag}-gzip"`, 'coded by gzip'],
      [undefined, 'Accept-Encoding', `"${etag}"`, SCRIPT],
      [undefined, 'Accept-Encoding', `"${etag}"`, SCRIPT],
    ]);
  });

  it('are sent uncompressed when the compressed file is missing', async () => {
    const files = createStaticFiles(path.join(folder, 'client'));
    await rename(path.join(folder, `client.files/${hashOf(SCRIPT)}.br`), path.join(folder, 'gone'));
    onTestFinished(() => rename(path.join(folder, 'gone'), path.join(folder, `client.files/${hashOf(SCRIPT)}.br`)));
    const response = await files.fetch(
      new Request('http://localhost/app.js', { headers: { 'accept-encoding': 'br' } }),
    );
    expect([response?.headers.get('content-encoding'), await response?.text()]).toEqual([null, SCRIPT]);
  });
});

describe('a disk that fails', () => {
  it('breaks off an answer that has begun, and goes on serving', async () => {
    await failReads({ after: 1 });
    const { status, headers, body } = await get('/large.txt');
    expect([status, headers['content-length']]).toEqual([200, '1000000']);
    expect(body.length).toBeGreaterThan(0);
    expect(body.length).toBeLessThan(1_000_000);
    expect((await get('/large.txt')).body.length).toBe(1_000_000);
  });

  it('is answered with 500 before the first byte', async () => {
    await failReads({ after: 0 });
    const { status, headers, body } = await get('/large.txt');
    expect([status, headers['content-type'], headers['etag'], body]).toEqual([
      500,
      'text/plain',
      undefined,
      'Internal server error',
    ]);
  });

  // The only simulation here: a real file cannot be made to fail half-way.
  async function failReads({ after }: { after: number }): Promise<void> {
    const handle = await open(path.join(folder, 'client/large.txt'));
    const prototype = Object.getPrototypeOf(handle) as FileHandle; // a class that Node does not export
    await handle.close();
    // Called with the handle as `this`.
    const { read } = prototype;
    const spy = vi.spyOn(prototype, 'read');
    for (let reads = 0; reads < after; reads++) {
      spy.mockImplementationOnce(function (this: FileHandle, ...given: unknown[]) {
        return Reflect.apply(read, this, given) as ReturnType<typeof read>;
      } as typeof read);
    }
    spy.mockRejectedValueOnce(new Error('EIO: i/o error, read'));
    onTestFinished(() => spy.mockRestore());
  }
});

/** As an export writes it. */
async function writeManifest(contents: Record<string, string>): Promise<void> {
  await mkdir(path.join(folder, 'client.files'), { recursive: true });
  const files: [string, object][] = Object.entries(contents).map(([name, text]) => [
    name,
    { size: text.length, hash: hashOf(text) },
  ]);
  const codings = ['gzip', 'br'];
  // No client of this test decodes these files: the test only checks which file was sent.
  for (const coding of codings)
    await writeFile(path.join(folder, `client.files/${hashOf(SCRIPT)}.${coding}`), `coded by ${coding}`);
  files.push(['app.js', { size: SCRIPT.length, hash: hashOf(SCRIPT), codings }]);
  const file = path.join(folder, 'client.files/manifest.json');
  await writeFile(file, JSON.stringify({ version: 1, files: Object.fromEntries(files) }));
  const edited = new Date(Date.now() + 10_000);
  await utimes(path.join(folder, 'client/edited.txt'), edited, edited);
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}

const HANDLER = { status: 404, headers: { 'x-answered-by': 'handler' } };

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

// Over a raw socket: fetch would normalise the path before sending, and decode the body.
async function get(
  target: string,
  {
    method = 'GET',
    headers = {},
    encoding = 'utf8',
  }: { method?: string; headers?: Record<string, string>; encoding?: BufferEncoding } = {},
): Promise<Answer> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const lines = [`${method} ${target} HTTP/1.1`, 'host: localhost', 'connection: close'];
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  socket.setEncoding(encoding);
  const [head = '', ...rest] = (await text(socket)).split('\r\n\r\n');
  const [statusLine = '', ...headerLines] = head.split('\r\n');
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(
      headerLines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]),
    ),
    body: rest.join('\r\n\r\n'),
  };
}
