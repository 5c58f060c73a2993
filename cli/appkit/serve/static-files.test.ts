import { once } from 'node:events';
import fs from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createStaticFiles } from './static-files.ts';

const SCRIPT = 'console.log("hello");\n'.repeat(20);
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';

let folder: string;
let server: Server;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'appkit-static-'));
  const files: Record<string, string | Buffer> = {
    'secret.txt': 'outside',
    'client/index.html': '<h1>home</h1>',
    'client/about.html': '<h1>about</h1>',
    'client/docs/index.html': '<h1>docs</h1>',
    'client/images/dot.svg': '<svg/>',
    'client/alphabet.txt': ALPHABET,
    'client/a b/é.txt': 'decoded',
    'client/large.txt': 'x'.repeat(1_000_000),
    'client/app.js': SCRIPT,
    'client/app.js.br': brotliCompressSync(SCRIPT),
    'client/app.js.gz': gzipSync(SCRIPT),
    'client/main-4f9a03bc.js': 'hashed',
    'client/back\\slash.txt': 'a separator on Windows',
    'client/.env': 'SECRET=1',
    'client/.git/config': 'hidden',
    'client/docs/.well-known/x': 'hidden',
    'client/.well-known/security.txt': 'Contact: mailto:a@example.com',
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), content);
  }
  const staticFiles = createStaticFiles(path.join(folder, 'client'));
  server = createServer((request, response) => {
    staticFiles(request, response).then((answered) => {
      if (!answered) response.writeHead(404, { 'x-answered-by': 'handler' }).end('handler');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

describe('which file a path means', () => {
  it('sends a file with its type, length and validators', async () => {
    const { status, headers, body } = await get('/alphabet.txt');
    expect(status).toBe(200);
    expect(body).toBe(ALPHABET);
    expect(headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'content-length': '26',
      'accept-ranges': 'bytes',
      'cache-control': 'public, max-age=0',
      etag: expect.stringMatching(/^W\/"/),
      'last-modified': expect.stringMatching(/GMT$/),
    });
  });

  it('answers HEAD with the headers alone', async () => {
    const { status, headers, body } = await get('/alphabet.txt', { method: 'HEAD' });
    expect([status, headers['content-length'], body]).toEqual([200, '26', '']);
  });

  it('leaves every other method to the handler', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
      expect(await get('/alphabet.txt', { method })).toMatchObject(HANDLER);
  });

  it('sends index.html for the root and for a folder', async () => {
    expect((await get('/')).body).toBe('<h1>home</h1>');
    expect((await get('/docs/')).body).toBe('<h1>docs</h1>');
  });

  it('sends about.html for /about', async () => {
    expect((await get('/about')).body).toBe('<h1>about</h1>');
  });

  it('does not look at the query', async () => {
    expect((await get('/alphabet.txt?v=1/../2')).body).toBe(ALPHABET);
    expect((await get('/?x=1')).body).toBe('<h1>home</h1>');
  });

  it('decodes each segment once', async () => {
    expect((await get('/a%20b/%C3%A9.txt')).body).toBe('decoded');
    expect(await get('/a%2520b/%C3%A9.txt')).toMatchObject(HANDLER);
  });

  it('adds the slash a folder needs, keeping the query', async () => {
    const { status, headers } = await get('/docs?x=1');
    expect([status, headers['location'], headers['cache-control']]).toEqual([301, '/docs/?x=1', 'public, max-age=0']);
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
    for (const target of ['/.env', '/%2eenv', '/.git/config', '/.git/', '/docs/.well-known/x']) {
      expect(await get(target)).toMatchObject(HANDLER);
    }
    expect((await get('/.well-known/security.txt')).body).toContain('Contact');
    expect(await get('/.well-known/../.env')).toMatchObject(HANDLER);
  });

  it('does not leave its folder', async () => {
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

describe('what a client has already', () => {
  it('answers 304 to the ETag, weakly compared, and to a list of them', async () => {
    const { etag = '' } = (await get('/alphabet.txt')).headers;
    for (const value of [etag, `"other", ${etag}`, etag.slice(2), '*']) {
      const { status, body, headers } = await get('/alphabet.txt', { headers: { 'if-none-match': value } });
      expect([status, body, headers['etag']]).toEqual([304, '', etag]);
    }
  });

  it('answers 304 to the date of the last change, and the file to an older one', async () => {
    const modified = (await get('/alphabet.txt')).headers['last-modified'] ?? '';
    expect((await get('/alphabet.txt', { headers: { 'if-modified-since': modified } })).status).toBe(304);
    const older = new Date(Date.parse(modified) - 1000).toUTCString();
    expect((await get('/alphabet.txt', { headers: { 'if-modified-since': older } })).status).toBe(200);
  });

  it('answers 412 when a precondition fails', async () => {
    const { status, body, headers } = await get('/alphabet.txt', { headers: { 'if-match': '"other"' } });
    expect([status, body, headers['content-type'], headers['etag']]).toEqual([
      412,
      'Precondition Failed',
      'text/plain',
      undefined,
    ]);
  });

  it('lets names with a content hash be kept for a year', async () => {
    expect((await get('/main-4f9a03bc.js')).headers['cache-control']).toBe('public, max-age=31536000, immutable');
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
    expect(body).toBe('Range Not Satisfiable');
  });

  it('sends the whole file for a range it does not understand', async () => {
    for (const range of ['pages=1-2', 'bytes=z', 'bytes=9-1']) {
      expect((await get('/alphabet.txt', { headers: { range } })).body).toBe(ALPHABET);
    }
  });

  it('sends the whole file when it is not the one of If-Range', async () => {
    const headers = { range: 'bytes=0-3', 'if-range': '"other"' };
    expect(await get('/alphabet.txt', { headers })).toMatchObject({ status: 200, body: ALPHABET });
  });

  it('does not look at a range on HEAD', async () => {
    const { status, headers } = await get('/alphabet.txt', { method: 'HEAD', headers: { range: 'bytes=0-3' } });
    expect([status, headers['content-length'], headers['accept-ranges']]).toEqual([200, '26', 'bytes']);
  });
});

describe('precompressed files', () => {
  it('sends the brotli file with the type of the original', async () => {
    const response = await fetch(`${origin()}/app.js`, { headers: { 'accept-encoding': 'gzip, br' } });
    expect(response.headers.get('content-encoding')).toBe('br');
    expect(response.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(response.headers.get('vary')).toBe('Accept-Encoding');
    expect(await response.text()).toBe(SCRIPT);
  });

  it('sends the gzip file to a client that does not know brotli', async () => {
    const response = await fetch(`${origin()}/app.js`, { headers: { 'accept-encoding': 'gzip' } });
    expect([response.headers.get('content-encoding'), await response.text()]).toEqual(['gzip', SCRIPT]);
  });

  it('sends the original, with Vary, to a client that wants no coding', async () => {
    const { headers, body } = await get('/app.js');
    expect([headers['content-encoding'], headers['vary'], body]).toEqual([undefined, 'Accept-Encoding', SCRIPT]);
  });

  it('sends no Vary for a file that is there in one form only', async () => {
    const { headers } = await get('/alphabet.txt', { headers: { 'accept-encoding': 'br' } });
    expect([headers['vary'], headers['content-encoding']]).toEqual([undefined, undefined]);
  });

  it('has an ETag of its own for each form, and answers 304 to it with Vary', async () => {
    const plain = await get('/app.js');
    const compressed = await get('/app.js', { method: 'HEAD', headers: { 'accept-encoding': 'br' } });
    const etag = compressed.headers['etag'] ?? '';
    expect(etag).not.toBe(plain.headers['etag']);
    const again = await get('/app.js', { headers: { 'accept-encoding': 'br', 'if-none-match': etag } });
    expect([again.status, again.headers['vary'], again.headers['content-encoding']]).toEqual([
      304,
      'Accept-Encoding',
      undefined,
    ]);
  });

  it('takes a range from the compressed bytes', async () => {
    const bytes = brotliCompressSync(SCRIPT);
    const parts = await Promise.all(
      ['bytes=0-9', 'bytes=10-'].map(async (range) => {
        const { body } = await get('/app.js', { headers: { 'accept-encoding': 'br', range }, encoding: 'latin1' });
        return Buffer.from(body, 'latin1');
      }),
    );
    expect(Buffer.concat(parts)).toEqual(bytes);
    expect(brotliDecompressSync(Buffer.concat(parts)).toString()).toBe(SCRIPT);
  });
});

describe('a disk that fails', () => {
  it('breaks off an answer that has begun, and goes on serving', async () => {
    failReads({ after: 1 });
    const { status, headers, body } = await get('/large.txt');
    expect([status, headers['content-length']]).toEqual([200, '1000000']);
    expect(body.length).toBeGreaterThan(0);
    expect(body.length).toBeLessThan(1_000_000);
    expect((await get('/large.txt')).body.length).toBe(1_000_000);
  });

  it('is answered with 500 before the first byte', async () => {
    failReads({ after: 0 });
    const { status, headers, body } = await get('/large.txt');
    expect([status, headers['content-type'], headers['etag'], body]).toEqual([
      500,
      'text/plain',
      undefined,
      'Internal Server Error',
    ]);
  });

  // The one thing here that is not real: no file can be made to fail half-way. Everything else is, also the stream.
  function failReads({ after }: { after: number }): void {
    const { createReadStream } = fs;
    let reads = 0;
    type Done = (error: Error | null, bytes: number) => void;
    const read = (fd: number, into: Buffer, offset: number, length: number, position: number, done: Done): void => {
      if (reads++ < after) fs.read(fd, into, offset, length, position, done);
      else done(new Error('EIO: i/o error, read'), 0);
    };
    const failing = { ...fs, read };
    const spy = vi
      .spyOn(fs, 'createReadStream')
      .mockImplementationOnce((file, options) => createReadStream(file, { ...(options as object), fs: failing }));
    onTestFinished(() => spy.mockRestore());
  }
});

const HANDLER = { status: 404, headers: { 'x-answered-by': 'handler' } };

function origin(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

// Over a raw socket: fetch would normalise the path, and decode the body, before anything is sent.
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
