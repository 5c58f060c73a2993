import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { arrive, arriveOverHttp2, bodyFrom, turns } from './arrivals.cases.ts';
import { DISCARD_LIMIT } from './arriving-body.ts';
import { BodyStream } from './body-stream.ts';

const MEGABYTE = 1024 * 1024;

async function sizeOf(stream: ReadableStream<Uint8Array>): Promise<number> {
  let size = 0;
  for await (const chunk of stream) size += chunk.byteLength;
  return size;
}

/** A body that a task reads after the answer, once its first byte was read. */
async function readFirst() {
  const source = new PassThrough();
  const body = bodyFrom(source, { isAnswered: true, running: 1 });
  const stream = new BodyStream(body);
  const reader = stream.getReader();
  const first = reader.read();
  source.write(Buffer.alloc(1));
  await first;
  return { source, body, stream, reader };
}

describe('BodyStream', () => {
  it('reads nothing before a reader pulls, and then no further than the reader', async () => {
    let made = 0;
    const source = new Readable({
      highWaterMark: 1,
      read() {
        this.push(made++ < 1000 ? Buffer.alloc(1) : null);
      },
    });
    const reader = new BodyStream(bodyFrom(source)).getReader();
    await turns();
    expect(made).toBe(0);
    await reader.read();
    await turns();
    // Node reads a few bytes ahead.
    expect(made).toBeLessThan(10);
  });

  it('gives parts that share memory, as those of HTTP/2 do', async () => {
    const { stream, request } = await arriveOverHttp2({ ':method': 'POST' });
    const sent = Buffer.from(Array.from({ length: 50_000 }, (_, index) => `${index},`).join(''));
    stream.end(sent);
    const received: Uint8Array[] = [];
    for await (const chunk of new BodyStream(bodyFrom(request))) received.push(chunk);
    expect(Buffer.concat(received).equals(sent)).toBe(true);
  });

  it('ends for a reader with a buffer of its own', async () => {
    const { body } = await arrive('Content-Length: 4', 'full');
    const reader = new BodyStream(body).getReader({ mode: 'byob' });
    const { value } = await reader.read(new Uint8Array(8));
    expect(Buffer.from(value ?? []).toString()).toBe('full');
    expect(await reader.read(new Uint8Array(8))).toEqual({ done: true, value: new Uint8Array() });
  });

  it('discards the rest of the body when it is cancelled, so that the client can finish sending', async () => {
    const { client, request, body } = await arrive('Content-Length: 8', 'half');
    const reader = new BodyStream(body).getReader();
    await reader.read();
    await reader.cancel();
    const ended = once(request, 'end');
    client.write('rest');
    await ended;
  });

  it('keeps what arrives after the answer for a slow task, up to the limit of what is discarded', async () => {
    const { source, body, reader } = await readFirst();
    body.answered();
    // The size that waits counts, not the sum.
    for (let round = 0; round < 3; round++) {
      source.write(Buffer.alloc(DISCARD_LIMIT - MEGABYTE));
      source.write(Buffer.alloc(MEGABYTE));
      await turns();
      expect((await reader.read()).value?.byteLength).toBe(DISCARD_LIMIT - MEGABYTE);
      expect((await reader.read()).value?.byteLength).toBe(MEGABYTE);
    }
    source.end();
    expect((await reader.read()).done).toBe(true);
  });

  it('fails for a task that leaves more than that unread', async () => {
    const { source, body, stream, reader } = await readFirst();
    reader.releaseLock();
    body.answered();
    source.write(Buffer.alloc(DISCARD_LIMIT));
    source.end(Buffer.alloc(1));
    await once(source, 'end');
    await turns();
    await expect(sizeOf(stream)).rejects.toThrow('The request was answered before its body was read');
  });
});
