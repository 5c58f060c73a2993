import { brotliDecompressSync, constants, createGunzip, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import type { Host } from '../host.ts';
import type { RawResponse } from '../generic/raw-http.ts';
import { json } from '../generic/expect-json.ts';
import { release, signalled, uniqueId } from '../generic/signals.ts';

const needs = 'compression';
const long = 'The quick brown fox jumps over the lazy dog. '.repeat(100);

behaviour('compresses an answer with gzip', { source: 'RFC 9110 section 8.4.1.3', needs }, async (host) => {
  for (const what of ['text', 'bytes', 'stream', 'sized']) {
    const answer = await ask(host, what, 'gzip');
    expect([what, answer.header('content-encoding')]).toEqual([what, 'gzip']);
    expect(gunzipSync(answer.body).toString()).toBe(long);
    expect(answer.body.length).toBeLessThan(long.length / 4);
  }
  expect(JSON.parse(gunzipSync((await ask(host, 'json', 'gzip')).body).toString())).toEqual({ long });
});

behaviour(
  'compresses a text that has its type from the platform',
  { source: 'Fetch BodyInit', needs },
  async (host) => {
    const answer = await ask(host, 'by-itself', 'gzip');
    expect(gunzipSync(answer.body).toString()).toBe(long);
  },
);

behaviour('compresses an answer with Brotli', { source: 'RFC 7932', needs }, async (host) => {
  const answer = await ask(host, 'text', 'br');
  expect(answer.header('content-encoding')).toBe('br');
  expect(brotliDecompressSync(answer.body).toString()).toBe(long);
});

behaviour('compresses an answer with Zstandard', { source: 'RFC 8878', needs }, async (host) => {
  const answer = await ask(host, 'text', 'zstd');
  expect(answer.header('content-encoding')).toBe('zstd');
  expect(zstdDecompressSync(answer.body).toString()).toBe(long);
});

behaviour(
  'compresses in the coding that a client likes best',
  { source: 'RFC 9110 section 12.5.3', needs },
  async (host) => {
    const codings = ['br;q=0.2, gzip;q=0.8', 'br;q=0, gzip;q=0.5', 'gzip;q=0', 'identity', '', 'unknown'];
    const chosen = await Promise.all(
      codings.map(async (accept) => (await ask(host, 'text', accept)).header('content-encoding')),
    );
    expect(chosen).toEqual(['gzip', 'gzip', null, null, null, null]);
  },
);

behaviour(
  'tells caches that an answer depends on Accept-Encoding',
  { source: 'RFC 9110 section 12.5.5', needs },
  async (host) => {
    for (const accept of ['gzip', 'identity']) {
      expect((await ask(host, 'text', accept)).header('vary')?.toLowerCase()).toBe('accept-encoding');
      const varied = (await ask(host, 'varied', accept))
        .values('vary')
        .join(',')
        .toLowerCase()
        .split(/\s*,\s*/);
      expect(varied.toSorted()).toEqual(['accept-encoding', 'origin']);
    }
  },
);

behaviour(
  'leaves a small answer uncompressed',
  { source: 'a coding that makes nothing smaller', needs },
  async (host) => {
    const answer = await ask(host, 'small', 'gzip, br');
    expect([answer.header('content-encoding'), answer.body.length]).toEqual([null, 1000]);
  },
);

behaviour('leaves what is compressed by its own format', { source: 'RFC 9110 section 8.4.1', needs }, async (host) => {
  for (const what of ['image', 'untyped']) {
    const answer = await ask(host, what, 'gzip, br');
    expect([answer.header('content-encoding'), answer.body.length]).toEqual([null, long.length]);
  }
});

behaviour('compresses nothing twice', { source: 'RFC 9110 section 8.4', needs }, async (host) => {
  const answer = await ask(host, 'already', 'gzip, br');
  expect(answer.header('content-encoding')).toBe('gzip');
  expect(gunzipSync(answer.body).toString()).toBe(long);
});

behaviour(
  'compresses nothing that is not to be changed',
  { source: 'RFC 9111 section 5.2.2.6', needs },
  async (host) => {
    const answer = await ask(host, 'as-it-is', 'gzip, br');
    expect([answer.header('content-encoding'), answer.body.toString()]).toEqual([null, long]);
  },
);

behaviour('compresses no part of an answer', { source: 'RFC 9110 section 14.4', needs }, async (host) => {
  const answer = await ask(host, 'part', 'gzip, br');
  expect([answer.status, answer.header('content-encoding'), answer.body.length]).toEqual([206, null, long.length]);
});

behaviour(
  'leaves an answer with a strong ETag as it is',
  { source: 'RFC 9110 section 8.8.3.3', needs },
  async (host) => {
    const answer = await ask(host, 'kept', 'gzip');
    expect([answer.header('content-encoding'), answer.header('etag')]).toEqual([null, '"of-the-text"']);
    const known = await ask(host, 'kept', 'gzip', [['If-None-Match', '"of-the-text"']]);
    expect([known.status, known.header('etag')]).toEqual([304, '"of-the-text"']);
  },
);

behaviour('compresses an answer with a weak ETag', { source: 'RFC 9110 section 8.8.3.3', needs }, async (host) => {
  const answer = await ask(host, 'kept?weak', 'gzip');
  expect([answer.header('content-encoding'), answer.header('etag')]).toEqual(['gzip', 'W/"of-the-text"']);
  const known = await ask(host, 'kept?weak', 'gzip', [['If-None-Match', 'W/"of-the-text"']]);
  expect([known.status, known.header('etag'), known.header('vary')]).toEqual([
    304,
    'W/"of-the-text"',
    'Accept-Encoding',
  ]);
});

behaviour('sends a compressed stream part by part', { source: 'adapters.md case 30', needs }, async (host) => {
  const id = uniqueId();
  const connection = await host.connect();
  await connection.write({
    target: host.target(`/coded/gated?id=${id}`),
    headers: [host.hostHeader, ['Accept-Encoding', 'gzip']],
  });
  const head = await connection.head();
  expect(head.header('content-encoding')).toBe('gzip');
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }).setEncoding('utf8');
  const seen = gunzip[Symbol.asyncIterator]();
  const copied = (async () => {
    for await (const piece of connection.pieces(head)) gunzip.write(piece);
    gunzip.end();
  })();
  expect((await seen.next()).value).toBe('first. ');
  await release(host, `${id}-second`);
  expect((await seen.next()).value).toBe('second.');
  await copied;
  connection.destroy();
});

behaviour('breaks off a compressed stream that fails', { source: 'RFC 9112 section 8', needs }, async (host) => {
  const id = uniqueId();
  const response = await host.fetch(`/coded/gated?fails&id=${id}`, { headers: { 'accept-encoding': 'gzip' } });
  const reader = response.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  await release(host, `${id}-second`);
  const rest = async (): Promise<void> => {
    while (!(await reader?.read())?.done);
  };
  await expect(rest()).rejects.toThrow();
  expect((await host.fetch('/hello')).status).toBe(200);
});

behaviour(
  'cancels a compressed stream when the client leaves',
  { source: 'adapters.md case 35', needs },
  async (host) => {
    const id = uniqueId();
    const connection = await host.connect();
    await connection.write({
      target: host.target(`/coded/endless?id=${id}`),
      headers: [host.hostHeader, ['Accept-Encoding', 'gzip']],
    });
    await connection.pieces(await connection.head()).next();
    connection.destroy();
    await signalled(host, `${id}-cancelled`);
  },
);

behaviour('answers HEAD of what it compresses as GET', { source: 'RFC 9110 section 9.3.2', needs }, async (host) => {
  for (const what of ['text', 'stream']) {
    const [get, head] = [await ask(host, what, 'gzip'), await ask(host, what, 'gzip', [], 'HEAD')];
    expect([head.status, head.header('content-encoding'), head.header('vary')]).toEqual([
      200,
      get.header('content-encoding'),
      get.header('vary'),
    ]);
    expect([null, get.header('content-length')]).toContain(head.header('content-length'));
  }
});

behaviour('sends events one by one to a browser', { source: 'HTML section 9.2', needs }, async (host) => {
  const id = uniqueId();
  const headers = { 'accept-encoding': 'gzip, deflate, br, zstd' };
  const response = await host.fetch(`/stream/gated?id=${id}`, { headers });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect((await reader?.read())?.value).toBe('data: first\n\n');
  await release(host, `${id}-second`);
  expect((await reader?.read())?.value).toMatch(/^data: second/);
});

behaviour('compresses a page', { source: 'pages', needs }, async (host) => {
  const accept = (coding: string): RequestInit => ({ headers: { accept: 'text/html', 'accept-encoding': coding } });
  const [coded, plain] = await Promise.all(
    ['gzip', 'identity'].map((coding) => host.fetch('/site/data/text', accept(coding))),
  );
  expect(coded?.headers.get('content-encoding')).toBe('gzip');
  expect(await coded?.text()).toBe(await plain?.text());
});

behaviour('compresses nothing where the option is off', { source: 'docs/guide/operations.md', needs }, async (host) => {
  const server = await host.configured({ options: { compress: false } });
  const answer = await ask(server, 'json', 'gzip');
  expect([answer.header('content-encoding'), answer.header('vary')]).toEqual([null, null]);
  expect(await json(await server.fetch('/coded/json'))).toEqual({ long });
});

function ask(
  host: Host,
  what: string,
  accept: string,
  headers: readonly (readonly [string, string])[] = [],
  method = 'GET',
): Promise<RawResponse> {
  return host.send({ method, path: `/coded/${what}`, headers: [['Accept-Encoding', accept], ...headers] });
}
