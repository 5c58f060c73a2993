import { afterEach, describe, expect, it, vi } from 'vitest';
import { HostRequest, toHostRequest } from './host-request.ts';
import { noticeCopies } from './notice-copies.ts';

const create = (): Request => toHostRequest(new Request('http://a.test/'));

afterEach(() => void vi.restoreAllMocks());

it('notices a copy for each of several that ask, such as two releases of the runtime in one process', () => {
  const request = create();
  const [first, second] = [vi.fn(), vi.fn()];
  noticeCopies(request, first);
  noticeCopies(request, second);
  request.signal.addEventListener('abort', () => undefined);
  expect([first, second].map(({ mock }) => mock.calls.length)).toEqual([0, 0]);
  expect(new Request(request).url).toBe('http://a.test/');
  expect([first, second].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

it('leaves a request alone that has no signal', () => {
  vi.spyOn(Request.prototype, 'signal', 'get').mockReturnValue(undefined as never);
  expect(() => noticeCopies(create(), () => undefined)).not.toThrow();
});

// Deno reads this property to copy a request, and its getter of the signal reads it too.
describe('a request of Deno', () => {
  const key = Symbol('signalCache');
  const { signal } = new AbortController();
  const createOfDeno = (): Request & { [key]: unknown } => {
    vi.spyOn(HostRequest.prototype, 'signal', 'get').mockImplementation(function (this: { [key]: AbortSignal }) {
      return this[key];
    } as () => AbortSignal);
    return Object.assign(create(), { [key]: signal });
  };

  it('is copied when its property is read', () => {
    const request = createOfDeno();
    const onCopy = vi.fn();
    noticeCopies(request, onCopy);
    expect(request[key]).toBe(signal);
    expect(onCopy).toHaveBeenCalledTimes(1);
  });

  it('is not copied when code reads its signal, but afterwards as before', () => {
    const request = createOfDeno();
    const onCopy = vi.fn();
    noticeCopies(request, onCopy);
    expect(request.signal).toBe(signal);
    expect(onCopy).not.toHaveBeenCalled();
    expect(request[key]).toBe(signal);
    expect(onCopy).toHaveBeenCalledTimes(1);
  });
});
