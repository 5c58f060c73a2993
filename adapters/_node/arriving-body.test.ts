import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { arrive, arriveOverHttp2, bodyFrom, closeOf, record, take, turns } from './arrivals.cases.ts';
import { DISCARD_LIMIT, discard } from './arriving-body.ts';
import { toRequestBody } from './request-body.ts';

const CHUNKED = 'Transfer-Encoding: chunked';
const ANSWERED = 'The request was answered before its body was read';

// An error thrown in an event of a request would end a server.
const onUncaught = vi.fn<(error: Error) => void>();

beforeEach(() => {
  onUncaught.mockClear();
  process.on('uncaughtExceptionMonitor', onUncaught);
});

afterEach(() => {
  process.off('uncaughtExceptionMonitor', onUncaught);
  expect(onUncaught.mock.calls).toEqual([]);
});

describe('taking a body', () => {
  it('gives every part and the end once, and nothing when the request closes', async () => {
    const { request, client, body } = await arrive('Content-Length: 8', 'half');
    const closed = once(request, 'close');
    const seen = record(body, () => client.write('done'));
    await closed;
    await turns();
    expect(seen).toEqual(['half', 'done', 'end']);
  });

  it('gives a body that has arrived completely, even if the client has left', async () => {
    const { request, client, body } = await arrive('Content-Length: 4', 'full');
    await vi.waitUntil(() => request.complete);
    const closed = closeOf(request);
    client.destroy();
    await closed;
    expect(await take(body)).toBe('full');
  });

  it('fails with an AbortError when the client leaves in the middle', async () => {
    const { client, body } = await arrive('Content-Length: 8', 'half');
    body.source.once('data', () => client.destroy());
    await expect(take(body)).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('fails with an AbortError over HTTP/2 too, where Node emits the end of a stream that was reset', async () => {
    for (const leaving of ['stream', 'session'] as const) {
      const arrival = await arriveOverHttp2({ ':method': 'POST' });
      const taken = take(bodyFrom(arrival.request));
      arrival.request.once('data', () => arrival[leaving].destroy());
      arrival.stream.write('half');
      await expect(taken).rejects.toMatchObject({ name: 'AbortError' });
    }
  });

  it('fails with the error of a stream that replaces the body, or with an AbortError if it closes without one', async () => {
    const source = new PassThrough({ emitClose: false });
    const failing = take(bodyFrom(source));
    source.destroy(new Error('bad gzip'));
    await expect(failing).rejects.toThrow('bad gzip');
    const closing = new PassThrough();
    const closed = take(bodyFrom(closing));
    closing.destroy();
    await expect(closed).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('fails when it was taken before, and leaves the first taker alone', async () => {
    const { body } = await arrive('Content-Length: 4', 'full');
    const first = take(body);
    await expect(take(body)).rejects.toThrow(ANSWERED);
    expect(await first).toBe('full');
  });

  it('fails and says what to do when something in front of the handler has read it', async () => {
    const { request, body } = await arrive('Content-Length: 4', 'full');
    await once(request.resume(), 'end');
    await expect(take(body)).rejects.toThrow('Mount the handler before what reads it');
  });

  it('fails with 413 beyond the limit, whether the body is arriving or has arrived', async () => {
    const tooLarge = { status: 413 };
    expect(await take((await arrive(CHUNKED, '4\r\nfits\r\n0\r\n\r\n', 4)).body)).toBe('fits');
    const arriving = await arrive(CHUNKED, '4\r\nlarg\r\n', 4);
    const taken = take(arriving.body);
    arriving.client.write('1\r\ne\r\n0\r\n\r\n');
    await expect(taken).rejects.toMatchObject(tooLarge);

    const fits = await arrive('Content-Length: 4', 'fits', 4);
    await vi.waitUntil(() => fits.request.complete);
    expect(await take(fits.body)).toBe('fits');
    const arrived = await arrive('Content-Length: 5', 'large', 4);
    await vi.waitUntil(() => arrived.request.complete);
    await expect(take(arrived.body)).rejects.toMatchObject(tooLarge);
  });

  it('ends for a taker that gives up; the rest of the body is read, so that the next request can follow', async () => {
    for (const stop of ['letGo', 'abandon'] as const) {
      const { request, client, body } = await arrive('Content-Length: 8', 'half');
      const ended = once(request, 'end');
      const seen = record(body, () => {
        body[stop]();
        client.write('rest');
      });
      await ended;
      await turns();
      expect(seen).toEqual(['half', ...(stop === 'abandon' ? [expect.stringContaining(ANSWERED)] : [])]);
    }
  });
});

describe('a body after the answer', () => {
  it('is discarded if no code has begun to take it, and can no longer be taken', async () => {
    const { request, response, body } = await arrive('Content-Length: 4', 'full');
    const ended = once(request, 'end');
    response.end();
    body.answered();
    await expect(take(body)).rejects.toThrow(ANSWERED);
    await ended;
  });

  it('that was let go before is discarded', async () => {
    const { request, body } = await arrive('Content-Length: 4', 'full');
    const ended = once(request, 'end');
    body.letGo();
    body.answered();
    expect(body.isUntouched).toBe(false);
    await expect(take(body)).rejects.toThrow(ANSWERED);
    await ended;
  });

  it('goes on for its taker, and calls the answered() of one that has it', async () => {
    const { client, response, body } = await arrive('Content-Length: 8', 'half');
    const taken = take(body);
    response.end();
    body.answered();
    client.write('done');
    expect(await taken).toBe('halfdone');

    const told = vi.fn<() => void>();
    const other = await arrive('Content-Length: 8', 'half');
    other.body.take({ take() {}, end() {}, fail() {}, answered: told });
    other.body.answered();
    expect(told).toHaveBeenCalledOnce();
  });

  it('that is too large fails only for a task: other promises are no longer handled', async () => {
    for (const running of [0, 1]) {
      const { request, client, response, body, tasks } = await arrive(CHUNKED, '4\r\nhalf\r\n', 4);
      tasks.running = running;
      const ended = once(request, 'end');
      const seen = record(body);
      response.end();
      body.answered();
      client.write('4\r\nmore\r\n0\r\n\r\n');
      await ended;
      await turns();
      expect(seen).toEqual(['half', ...(running ? ['Content Too Large'] : [])]);
    }
  });

  it('fails for a task when the connection closes', async () => {
    const { client, response, body, tasks } = await arrive('Content-Length: 8', 'half');
    tasks.running = 1;
    const taken = take(body);
    await new Promise((resolve) => response.end(resolve));
    body.answered();
    client.destroy();
    await expect(taken).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('is given to a task once if all of it has arrived when the connection closes', async () => {
    const { request, client, response, body, tasks } = await arrive(CHUNKED, '2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n');
    tasks.running = 1;
    const ended = Promise.withResolvers<void>();
    const seen: string[] = [];
    // A slow task.
    body.take({
      take(chunk) {
        seen.push(Buffer.from(chunk).toString());
        request.pause();
      },
      end: ended.resolve,
      fail: ended.reject,
    });
    await vi.waitUntil(() => seen.length === 1 && request.complete);
    await new Promise((resolve) => response.end(resolve));
    body.answered();
    client.destroy();
    await ended.promise;
    expect(seen).toEqual(['ab', 'cd']);
  });

  it('leaves nothing on the connection, which serves more requests', async () => {
    const { request, client, response, body, tasks } = await arrive('Content-Length: 8', 'half');
    tasks.running = 1;
    const taken = take(body);
    await new Promise((resolve) => response.end(resolve));
    const listeners = request.socket.listenerCount('close');
    // Over HTTP/2, two events say that a request has been answered.
    body.answered();
    body.answered();
    client.write('done');
    await taken;
    expect(request.socket.listenerCount('close')).toBe(listeners);
  });

  it('goes on for a task from a stream without a connection', async () => {
    const source = new PassThrough();
    const body = bodyFrom(source, { isAnswered: true, running: 1 });
    const taken = take(body);
    body.answered();
    source.end('text');
    expect(await taken).toBe('text');
  });
});

describe('an untouched body', () => {
  it('is one that nothing has read, taken, piped or destroyed', async () => {
    const fresh = (await arrive('Content-Length: 8', 'half')).body;
    expect(fresh.isUntouched).toBe(true);
    take(fresh).catch(() => {});
    expect(fresh.isUntouched).toBe(false);

    const read = await arrive('Content-Length: 8', 'half');
    await once(read.request, 'data');
    expect(read.body.isUntouched).toBe(false);

    const piped = await arrive('Content-Length: 8', 'half');
    piped.body.pipe(piped.response);
    expect(piped.body.isUntouched).toBe(false);

    const left = await arrive('Content-Length: 8', 'half');
    const closed = closeOf(left.request);
    left.client.destroy();
    await closed;
    expect(left.body.isUntouched).toBe(false);
  });

  it('is about to be read once app code has a stream of it', async () => {
    const { body } = await arrive('Content-Length: 8', 'half');
    expect(body.isAboutToBeRead).toBe(false);
    const stream = toRequestBody(body).forNative() as ReadableStream;
    expect(body.isAboutToBeRead).toBe(true);
    await stream.getReader().read();
    expect(body.isAboutToBeRead).toBe(false);
  });
});

describe('a body that is sent back', () => {
  it('breaks off the answer when it fails, so that the answer does not look complete', async () => {
    const { client, response } = await arrive('Content-Length: 0', '');
    const source = new PassThrough();
    bodyFrom(source).pipe(response);
    source.write('half');
    let answer = '';
    client.setEncoding('latin1').on('data', (text: string) => {
      answer += text;
      if (answer.includes('half')) source.destroy(new Error('bad gzip'));
    });
    await closeOf(client);
    expect(answer).not.toContain('\r\n0\r\n');
  });
});

describe('discarding', () => {
  it('reads as much as the limit, and ends a stream that goes on', async () => {
    const source = new PassThrough();
    discard(source);
    discard(source);
    expect(source.listenerCount('data')).toBe(1);
    const last = new Promise((resolve) => source.write(Buffer.alloc(DISCARD_LIMIT), resolve));
    await last;
    await turns();
    expect(source.destroyed).toBe(false);
    const closed = once(source, 'close');
    source.write('x');
    await closed;
  });

  it('does nothing to a stream that has ended', async () => {
    const source = new PassThrough();
    source.end('x');
    await once(source.resume(), 'end');
    discard(source);
    expect(source.listenerCount('data')).toBe(0);
  });
});
