import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { arrive, bodyFrom, closeOf } from './arrivals.cases.ts';
import type { Arrival } from './arrivals.cases.ts';
import { answeredBody, fromParsedBody, pipeBack, toRequestBody } from './request-body.ts';

function streamOf({ body }: Pick<Arrival, 'body'>): ReadableStream<Uint8Array> {
  return toRequestBody(body).forNative() as ReadableStream<Uint8Array>; // never bytes for an arriving body
}

describe('toRequestBody', () => {
  it('gives the whole body, of one part or several', async () => {
    expect(Buffer.from(await toRequestBody((await arrive('Content-Length: 4', 'full')).body).whole())).toEqual(
      Buffer.from('full'),
    );
    const source = new PassThrough();
    const whole = toRequestBody(bodyFrom(source)).whole();
    for (const part of ['a', 'bc', 'd']) source.write(part);
    source.end();
    expect(Buffer.from(await whole).toString()).toBe('abcd');
  });
});

describe('fromParsedBody', () => {
  it('gives the whole of bytes and of a stream, and the same object for a native Request', async () => {
    for (const parsed of [new TextEncoder().encode('text'), new Blob(['text']).stream()]) {
      const body = fromParsedBody(parsed);
      expect(body.forNative()).toBe(parsed);
      expect(new TextDecoder().decode(await body.whole())).toBe('text');
    }
  });
});

describe('answeredBody', () => {
  it('fails each read', async () => {
    await expect(answeredBody.whole()).rejects.toThrow('was answered before');
    await expect(new Response(answeredBody.forNative()).text()).rejects.toThrow('was answered before');
  });
});

describe('pipeBack', () => {
  it('sends an unread body as the answer, after the head', async () => {
    const arrival = await arrive('Content-Length: 8\r\nConnection: close', 'half');
    const { client, response } = arrival;
    const stream = streamOf(arrival);
    expect(pipeBack(stream, response, () => void response.writeHead(201))).toBe(true);
    expect(stream.locked).toBe(true);
    let answer = '';
    client.setEncoding('latin1').on('data', (text: string) => (answer += text));
    client.write('rest');
    await closeOf(client);
    expect(answer).toMatch(/^HTTP\/1\.1 201 /);
    expect(answer).toContain('half');
    expect(answer).toContain('rest');
  });

  it('leaves any other stream unlocked for whoever sends it', async () => {
    const unannounced = streamOf(await arrive('Transfer-Encoding: chunked', ''));
    const replaced = streamOf({ body: bodyFrom(new PassThrough()) });
    const gone = await arrive('Content-Length: 8', 'half');
    const letGo = streamOf(gone);
    gone.body.letGo();
    const sink = (await arrive('Content-Length: 0', '')).response;
    for (const stream of [unannounced, replaced, letGo, new Blob(['text']).stream()]) {
      expect(pipeBack(stream, sink, () => void sink.writeHead(201))).toBe(false);
      expect(stream.locked).toBe(false);
    }
    expect(sink.headersSent).toBe(false);
  });

  it('leaves a stream alone that other code reads', async () => {
    const arrival = await arrive('Content-Length: 4', 'full');
    const stream = streamOf(arrival);
    const text = new Response(stream).text();
    expect(pipeBack(stream, arrival.response, () => {})).toBe(false);
    expect(await text).toBe('full');
  });
});
