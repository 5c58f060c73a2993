import { describe, expect, it } from 'vitest';
import { collectGarbage } from '../fixtures/collect-garbage.ts';
import { createRequest, isForbiddenMethod } from './create-request.ts';

it.each(['CONNECT', 'TRACE', 'track'])('makes a request of the method %s, which the constructor refuses', (method) => {
  const init = { method, headers: { 'x-a': '1' }, body: 'x', duplex: 'half' } as const;
  expect(isForbiddenMethod(method)).toBe(true);
  const request = createRequest('http://app.test/x', init);
  expect([request.method, request.url, request.headers.get('x-a'), request.body]).toEqual([
    method,
    'http://app.test/x',
    '1',
    null,
  ]);
});

it.each(['GET', 'POST', 'RETRACE', 'TRACES'])('leaves %s to the constructor', async (method) => {
  expect(isForbiddenMethod(method)).toBe(false);
  expect(createRequest('http://app.test/', { method, duplex: 'half' }).method).toBe(method);
});

describe('the signal that is given', () => {
  const withSignal = (signal: AbortSignal): Request =>
    createRequest('http://app.test/', { method: 'GET', signal, duplex: 'half' });

  it.each(['GET', 'TRACE'])('is followed, with its reason, by a request of %s', (method) => {
    const client = new AbortController();
    const request = createRequest('http://app.test/', { method, signal: client.signal, duplex: 'half' });
    expect(request.signal.aborted).toBe(false);
    client.abort('left');
    expect([request.signal.aborted, request.signal.reason]).toEqual([true, 'left']);
    expect(withSignal(client.signal).signal.reason).toBe('left');
  });

  it('is followed as long as the request is there', async () => {
    const client = new AbortController();
    const request = withSignal(client.signal);
    await collectGarbage();
    client.abort();
    expect(request.signal.aborted).toBe(true);
  });

  it('does not keep the request, even if a listener of it refers to the request', async () => {
    const listen = (): WeakRef<Request> => {
      const { signal } = new AbortController();
      const request = withSignal(signal);
      signal.addEventListener('abort', () => request.url);
      return new WeakRef(request);
    };
    const kept = listen();
    await collectGarbage(() => kept.deref() === undefined);
    expect(kept.deref()).toBeUndefined();
  });
});
