import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import type { Host } from '../host.ts';
import type { RawResponse } from '../generic/raw-http.ts';

const needs = ['ownFiles', 'exportedFiles'] as const;

behaviour('sends a file in brotli', { source: 'RFC 7932', needs }, async (host) => {
  const answer = await ask(host, 'gzip, deflate, br, zstd');
  expect(answer.header('content-encoding')).toBe('br');
  expect(answer.header('content-type')).toBe('text/plain; charset=utf-8');
  expect(brotliDecompressSync(answer.body).toString()).toBe(await plain(host));
});

behaviour('sends a file in Zstandard', { source: 'RFC 8878', needs }, async (host) => {
  const answer = await ask(host, 'gzip, zstd');
  expect(answer.header('content-encoding')).toBe('zstd');
  expect(zstdDecompressSync(answer.body).toString()).toBe(await plain(host));
});

behaviour('sends a file in gzip', { source: 'RFC 9110 section 8.4.1.3', needs }, async (host) => {
  const answer = await ask(host, 'gzip');
  expect(answer.header('content-encoding')).toBe('gzip');
  expect(gunzipSync(answer.body).toString()).toBe(await plain(host));
});

behaviour('looks at the weights of Accept-Encoding', { source: 'RFC 9110 section 12.4.2', needs }, async (host) => {
  const codings = ['br;q=0, gzip;q=0.5', 'br;q=0.2, gzip;q=0.8', '*;q=0', 'br;q=0', 'identity', '*', 'unknown'];
  const chosen = await Promise.all(codings.map(async (accept) => (await ask(host, accept)).header('content-encoding')));
  expect(chosen).toEqual(['gzip', 'gzip', null, null, null, 'br', null]);
});

behaviour('says that a file depends on Accept-Encoding', { source: 'RFC 9110 section 12.5.5', needs }, async (host) => {
  const etag = (await ask(host, 'br')).header('etag') ?? '';
  const answers = [
    await ask(host, 'br'),
    await ask(host, 'identity'),
    await ask(host, 'br', [['If-None-Match', etag]]),
  ];
  expect(answers.map((answer) => [answer.status, answer.header('vary')])).toEqual([
    [200, 'Accept-Encoding'],
    [200, 'Accept-Encoding'],
    [304, 'Accept-Encoding'],
  ]);
});

behaviour('has an ETag for each coding of a file', { source: 'RFC 9110 section 8.8.3.3', needs }, async (host) => {
  const codings = ['br', 'zstd', 'gzip', 'identity'];
  const etags = await Promise.all(codings.map(async (coding) => (await ask(host, coding)).header('etag')));
  expect(new Set(etags).size).toBe(4);
  expect((await ask(host, 'gzip', [['If-None-Match', etags[0] ?? '']])).status).toBe(200);
});

behaviour('sends a part of the coded file', { source: 'RFC 9110 section 14.2', needs }, async (host) => {
  const whole = (await ask(host, 'gzip')).body;
  const part = await ask(host, 'gzip', [['Range', 'bytes=5-14']]);
  expect([part.status, part.header('content-range')]).toEqual([206, `bytes 5-14/${whole.length}`]);
  expect(part.body).toEqual(whole.subarray(5, 15));
});

behaviour(
  'answers HEAD with the length of the coded file',
  { source: 'RFC 9110 section 9.3.2', needs },
  async (host) => {
    const { length } = (await ask(host, 'br')).body;
    const head = await host.send({ method: 'HEAD', path: '/long.txt', headers: [['Accept-Encoding', 'br']] });
    expect([head.header('content-length'), head.header('content-encoding')]).toEqual([String(length), 'br']);
  },
);

behaviour('leaves small files uncoded', { source: 'a coding that makes nothing smaller', needs }, async (host) => {
  const answer = await host.send({ path: '/digits.txt', headers: [['Accept-Encoding', 'br, gzip']] });
  expect([answer.header('content-encoding'), answer.header('vary'), answer.body.length]).toEqual([null, null, 10]);
});

function ask(host: Host, accept: string, headers: readonly (readonly [string, string])[] = []): Promise<RawResponse> {
  return host.send({ path: '/long.txt', headers: [['Accept-Encoding', accept], ...headers] });
}

async function plain(host: Host): Promise<string> {
  return (await ask(host, 'identity')).body.toString();
}
