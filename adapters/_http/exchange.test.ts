import { expect, it, vi } from 'vitest';
import { breakOff, isGone, isSent } from './exchange.ts';

const http1 = { destroyed: false, writableEnded: false, writableFinished: false, destroy: vi.fn() };
const stream = { destroyed: false, rstCode: 0, close: vi.fn() };
// What node:http2 says of an answer: it is never destroyed, and always finished.
const http2 = { ...http1, writableFinished: true, stream };

it('asks the stream of HTTP/2 whether the client is still there, and otherwise the connection', () => {
  expect(isGone(http1)).toBe(false);
  expect(isGone({ ...http1, destroyed: true })).toBe(true);
  expect(isGone(http2)).toBe(false);
  expect(isGone({ ...http2, stream: { ...stream, destroyed: true } })).toBe(true);
  expect(isGone({ ...http2, destroyed: true })).toBe(false);
});

it('is sent over HTTP/1 when all of it has been written', () => {
  expect(isSent(http1)).toBe(false);
  expect(isSent({ ...http1, writableEnded: true })).toBe(false);
  expect(isSent({ ...http1, writableEnded: true, writableFinished: true })).toBe(true);
});

it('is sent over HTTP/2 when it has ended and the stream was closed without an error', () => {
  expect(isSent(http2)).toBe(false);
  expect(isSent({ ...http2, writableEnded: true })).toBe(true);
  expect(isSent({ ...http2, writableEnded: true, stream: { ...stream, rstCode: 8 } })).toBe(false);
});

it('breaks off a stream of HTTP/2 with INTERNAL_ERROR, and a connection by closing it', () => {
  breakOff(http2);
  expect(stream.close).toHaveBeenCalledExactlyOnceWith(2);
  expect(http1.destroy).not.toHaveBeenCalled();
  breakOff(http1);
  expect(http1.destroy).toHaveBeenCalledOnce();
});

it('takes what middleware calls a stream for none', () => {
  const destroy = vi.fn();
  breakOff({ destroyed: false, destroy, stream: { destroyed: true } as never });
  expect(destroy).toHaveBeenCalledOnce();
  expect(isGone({ destroyed: false, stream: { destroyed: true } as never })).toBe(false);
});
