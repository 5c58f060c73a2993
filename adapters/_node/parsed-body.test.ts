import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { toParsedBody } from './parsed-body.ts';
import type { ReadRequest } from './parsed-body.ts';

async function parsed(
  body: unknown,
  type: string | undefined,
  { rawBody, ...others }: { rawBody?: unknown; 'content-length'?: string; 'content-encoding'?: string } = {},
): Promise<string> {
  const request = Object.assign(Readable.from(['x']), { body, rawBody, headers: { 'content-type': type, ...others } });
  request.read();
  const made = toParsedBody(request as unknown as ReadRequest);
  return new Response(made ?? null).text();
}

describe('toParsedBody', () => {
  it('leaves a body alone whose stream is unread, whatever request.body says', () => {
    const request = Object.assign(Readable.from(['x']), { body: {}, headers: {} });
    expect(toParsedBody(request as unknown as ReadRequest)).toBeUndefined();
  });

  it('returns the bytes from raw() and the text from text()', async () => {
    expect(await parsed(Buffer.from('bytes'), 'application/octet-stream')).toBe('bytes');
    expect(await parsed('tëxt', 'text/plain')).toBe('tëxt');
  });

  it('prefers the exact bytes of rawBody', async () => {
    expect(await parsed({ a: 1 }, 'application/json', { rawBody: Buffer.from('{ "a": 1.0 }') })).toBe('{ "a": 1.0 }');
    expect(await parsed({ a: 1 }, 'application/json', { rawBody: '{ "a": 1.0 }' })).toBe('{ "a": 1.0 }');
    expect(await parsed({}, 'multipart/form-data; boundary=x', { rawBody: Buffer.from('--x--') })).toBe('--x--');
  });

  it('distinguishes a string from parsed JSON and the text of JSON', async () => {
    expect(await parsed('a "word"', 'application/json')).toBe(String.raw`"a \"word\""`);
    expect(await parsed('{ "a": 1.0 }', 'application/vnd.api+json; charset=utf-8')).toBe('{ "a": 1.0 }');
  });

  it('uses the length when a value could be either', async () => {
    expect(await parsed('123', 'application/json', { 'content-length': '5' })).toBe('"123"');
    expect(await parsed('123', 'application/json', { 'content-length': '3' })).toBe('123');
    // Without the byte order mark that it was sent with.
    expect(await parsed('123', 'application/json', { 'content-length': '6' })).toBe('123');
    // The length of a compressed body says nothing.
    const compressed = { 'content-length': '5', 'content-encoding': 'gzip' };
    expect(await parsed('123', 'application/json', compressed)).toBe('123');
  });

  it('serializes JSON again, also null, false and an empty object', async () => {
    for (const value of [{ a: [1, 'ä'] }, {}, [], null, false, 0]) {
      expect(JSON.parse(await parsed(value, 'application/json'))).toEqual(value);
    }
  });

  it('serializes a string of a JSON parser for every JSON type', async () => {
    expect(await parsed('word', 'application/vnd.api+json')).toBe('"word"');
    expect(await parsed('word', 'text/plain; of=application/json')).toBe('word');
  });

  it('goes by the type itself, not by what its parameters mention', async () => {
    expect(await parsed({ a: 1 }, 'application/json; of=application/x-www-form-urlencoded')).toBe('{"a":1}');
    expect(await parsed({ a: 1 }, 'application/json; of=multipart/form-data')).toBe('{"a":1}');
  });

  it('serializes a form again, with repeated and nested fields', async () => {
    const form = await parsed(
      { a: ['1', '2'], b: { c: 'x y' }, d: '&=', e: null },
      'application/x-www-form-urlencoded; charset=utf-8',
    );
    expect([...new URLSearchParams(form)]).toEqual([
      ['a', '1'],
      ['a', '2'],
      ['b[c]', 'x y'],
      ['d', '&='],
      ['e', 'null'],
    ]);
  });

  it('fails the read with 400 when a value is nested too deeply to be written again', async () => {
    // Node 26 writes JSON of any depth.
    const value = Array.from({ length: 50_000 }).reduce<unknown>((inner) => [inner], '');
    await expect(parsed(value, 'application/x-www-form-urlencoded')).rejects.toMatchObject({
      status: 400,
      message: 'The body is nested too deeply',
    });
  });

  it('passes on any other failure to write a value again', async () => {
    await expect(parsed({ n: 1n }, 'application/json')).rejects.toThrow('BigInt');
  });

  it('fails the read with a code and the type of the body that is gone', async () => {
    const failure = {
      code: 'ERR_BODY_CONSUMED',
      message: expect.stringContaining('(multipart/form-data; boundary=x)'),
    };
    await expect(parsed({}, 'multipart/form-data; boundary=x')).rejects.toMatchObject(failure);
    await expect(parsed(undefined, undefined)).rejects.toThrow('(no content type)');
  });

  it('fails the read, and says what to do, when a parser left nothing of the body', async () => {
    await expect(parsed({ field: 'x' }, 'multipart/form-data; boundary=x')).rejects.toThrow('Mount the handler before');
    await expect(parsed(undefined, 'application/json')).rejects.toThrow('Mount the handler before');
    for (const nothing of [undefined, null]) {
      const form = parsed(nothing, 'application/x-www-form-urlencoded');
      await expect(form).rejects.toThrow('Mount the handler before');
    }
    const request = Object.assign(Readable.from(['x']), { headers: { 'content-type': 'application/json' } });
    Object.defineProperty(request, 'body', {
      get() {
        throw new Error('Invalid JSON');
      },
    });
    request.read();
    const body = toParsedBody(request as unknown as ReadRequest);
    await expect(new Response(body ?? null).text()).rejects.toThrow('Mount the handler before');
  });
});
