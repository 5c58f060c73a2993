import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createCompressResponse } from './compress-response.ts';

const long = 'so it goes on. '.repeat(200);
const text = { 'content-type': 'text/plain' };
const compress = createCompressResponse({});
if (!compress) throw new Error('It is on by default.');

async function compressed(response: Response, accept = 'gzip'): Promise<Response> {
  return (await compress?.(response, () => accept)) as Response;
}

function streamOf(...parts: (string | Error)[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      const part = parts.shift();
      if (part === undefined) controller.close();
      else if (part instanceof Error) controller.error(part);
      else controller.enqueue(new TextEncoder().encode(part));
    },
  });
}

describe('createCompressResponse', () => {
  it('reads its option', () => {
    expect(createCompressResponse({ compress: false })).toBeUndefined();
    expect(() => createCompressResponse({ compress: 'no' as unknown as boolean })).toThrow(
      'The option compress is no. Give true or false.',
    );
  });

  it('does not ask for Accept-Encoding where it does not matter', () => {
    const ask = (): never => {
      throw new Error('It was asked for.');
    };
    for (const response of [new Response(long, { headers: { 'content-type': 'image/png' } }), new Response(null)]) {
      expect(compress(response, ask)).toBe(response);
    }
  });

  it('keeps status, text and every cookie', async () => {
    const headers: [string, string][] = [
      ['content-type', 'text/plain'],
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ];
    const response = await compressed(new Response(long, { status: 418, statusText: 'Teapot', headers }));
    expect([response.status, response.statusText, response.headers.getSetCookie()]).toEqual([
      418,
      'Teapot',
      ['a=1', 'b=2'],
    ]);
    expect(gunzipSync(await response.bytes()).toString()).toBe(long);
  });

  it('sends no length with a body that it codes part by part', async () => {
    const headers = { ...text, 'content-length': String(2 * long.length) };
    const response = await compressed(new Response(streamOf(long, long), { headers }));
    expect(response.headers.get('content-length')).toBeNull();
    expect(gunzipSync(await response.bytes()).toString()).toBe(long + long);
  });

  it('adds Vary to a Response whose headers cannot be changed', async () => {
    const answer = await fetch(`data:text/plain,${encodeURIComponent(long)}`);
    const response = await compressed(answer, 'identity');
    expect([response.headers.get('vary'), await response.text()]).toEqual(['Accept-Encoding', long]);
  });

  it.each([
    [undefined, 'Accept-Encoding'],
    ['Origin', 'Origin, Accept-Encoding'],
    ['origin, ACCEPT-ENCODING', 'origin, ACCEPT-ENCODING'],
    ['*', '*'],
  ])('changes Vary %s to %s', async (given, expected) => {
    const headers = { ...text, ...(given === undefined ? {} : { vary: given }) };
    expect((await compressed(new Response(long, { headers }))).headers.get('vary')).toBe(expected);
  });

  it('leaves a Response with a strong ETag alone, and its 304', async () => {
    for (const [status, body] of [[200, long] as const, [304, null] as const]) {
      const response = new Response(body, { status, headers: { ...text, etag: '"strong"' } });
      expect(await compressed(response)).toBe(response);
      expect(response.headers.get('vary')).toBeNull();
    }
  });

  it('keeps a weak ETag, and adds Vary to its 304', async () => {
    for (const [status, body] of [[200, long] as const, [304, null] as const]) {
      const { headers } = await compressed(new Response(body, { status, headers: { ...text, etag: 'W/"weak"' } }));
      expect([headers.get('etag'), headers.get('vary')]).toEqual(['W/"weak"', 'Accept-Encoding']);
    }
  });

  it('offers no byte ranges of a compressed body', async () => {
    const { headers } = await compressed(new Response(long, { headers: { ...text, 'accept-ranges': 'bytes' } }));
    expect(headers.get('accept-ranges')).toBeNull();
  });

  it('has no digest of the body before it was compressed', async () => {
    const names = ['content-digest', 'repr-digest', 'digest', 'content-md5'];
    const digests = Object.fromEntries(names.map((name) => [name, 'sha-256=:x:']));
    const { headers } = await compressed(new Response(long, { headers: { ...text, ...digests } }));
    expect(names.filter((name) => headers.has(name))).toEqual([]);
  });

  it('cancels a source that yields something other than bytes', async () => {
    const reasons: unknown[] = [];
    const body = new ReadableStream({
      pull(controller) {
        controller.enqueue(new Uint8Array(5000));
        controller.enqueue('text');
      },
      cancel: (reason) => void reasons.push(String(reason)),
    });
    const response = await compressed(new Response(body, { headers: text }));
    await expect(response.text()).rejects.toThrow('gave a string');
    expect(reasons).toEqual([expect.stringContaining('gave a string')]);
  });

  it('codes events by gzip, which holds the least memory, or not at all', async () => {
    const headers = { 'content-type': 'text/event-stream' };
    const codings = await Promise.all(
      ['zstd, br, gzip', 'br'].map(async (accept) => {
        const response = await compressed(new Response(streamOf(long, long), { headers }), accept);
        return [response.headers.get('content-encoding'), response.headers.get('vary')];
      }),
    );
    expect(codings).toEqual([
      ['gzip', 'Accept-Encoding'],
      [null, 'Accept-Encoding'],
    ]);
  });

  it('fails when the body fails at once, and fails the stream when the body fails later', async () => {
    await expect(compressed(new Response(streamOf(new Error('broken')), { headers: text }))).rejects.toThrow('broken');
    const later = await compressed(new Response(streamOf('first', long, new Error('broken')), { headers: text }));
    await expect(later.text()).rejects.toThrow('broken');
  });

  it('cancels the source', async () => {
    const reasons: unknown[] = [];
    const body = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(100_000)),
      cancel: (reason) => void reasons.push(reason),
    });
    const response = await compressed(new Response(body, { headers: text }));
    await response.body?.cancel('gone');
    expect(reasons).toEqual(['gone']);
  });

  it('reads no further ahead in the source than the client reads', async () => {
    let pulled = 0;
    const body = new ReadableStream(
      {
        pull(controller) {
          pulled++;
          controller.enqueue(new Uint8Array(100_000));
        },
      },
      { highWaterMark: 0 },
    );
    const reader = (await compressed(new Response(body, { headers: text }))).body?.getReader();
    for (let read = 0; read < 5; read++) await reader?.read();
    expect(pulled).toBeLessThanOrEqual(6);
    await reader?.cancel();
  });
});
