import { describe, expect, it, vi } from 'vitest';
import { toHostRequest } from './host-request.ts';
import { isNative } from './notice-copies.ts';
import { toImmutableRequest } from './immutable-request.ts';
import { noticesCopies, trackHeaderReads } from './track-headers.ts';
import { withUrl } from './with-url.ts';

const url = 'http://a.test/';
const create = (): Request => toHostRequest(new Request(url, { headers: { 'x-user': 'ada', cookie: 'a=1' } }));
const userIn = ({ headers }: Request | Response): string | null => headers.get('x-user');

/** What is noted while code handles a request. */
function noted(handle: (request: Request) => unknown, request = create()): { names: string[]; isAll: boolean } {
  const reads = trackHeaderReads(request);
  handle(request);
  return { names: [...reads.names], isAll: reads.isAll };
}

describe(trackHeaderReads, () => {
  it('notes the names that code asks for', () => {
    const ask = ({ headers }: Request): unknown => [headers.get('X-User'), headers.has('x-other')];
    expect(noted(ask)).toEqual({ names: ['x-user', 'x-other'], isAll: false });
  });

  it('notes nothing when no header is read', () => {
    const use = (request: Request): unknown => [
      request.url,
      request.method,
      request.body,
      request.headers instanceof Headers,
      request.signal.aborted,
      new Request(request.url),
    ];
    expect(noted(use)).toEqual({ names: [], isAll: false });
  });

  it('does not take listeners of the signal for copies', () => {
    const listen = ({ signal }: Request): void => {
      signal.addEventListener('abort', () => undefined);
      AbortSignal.any([signal]);
      expect(new Request(url, { signal }).signal.aborted).toBe(false);
    };
    expect(noted(listen)).toEqual({ names: [], isAll: false });
  });

  it('aborts the signal that code has when the client leaves', () => {
    const client = new AbortController();
    const request = toHostRequest(new Request(url, { signal: client.signal }));
    trackHeaderReads(request);
    const { signal } = request;
    client.abort(new Error('it left'));
    expect([signal.aborted, signal.reason]).toEqual([true, new Error('it left')]);
    expect(request.signal).toBe(signal);
  });

  it('notes copies of the headers by the platform', () => {
    const copies: ((headers: Headers) => string | null)[] = [
      (headers) => new Headers(headers).get('x-user'),
      (headers) => userIn(new Request(url, { headers })),
      (headers) => userIn(new Response(null, { headers })),
      (headers) => userIn(Response.json({}, { headers })),
      (headers) => new Map(headers).get('x-user') ?? null,
    ];
    for (const copy of copies) {
      expect(noted(({ headers }) => expect(copy(headers)).toBe('ada'))).toEqual({ names: [], isAll: true });
    }
  });

  it('notes copies of the request by the platform', () => {
    expect(noticesCopies()).toBe(true);
    const copies: ((request: Request) => Request)[] = [
      (request) => new Request(request),
      (request) => new Request(request, { redirect: 'manual' }),
      (request) => new Request('http://b.test/', request),
      (request) => request.clone(),
    ];
    for (const copy of copies) {
      expect(noted((request) => expect(userIn(copy(request))).toBe('ada')).isAll).toBe(true);
    }
  });

  it('notes copies of the same request for another URL', () => {
    const request = create();
    const reads = trackHeaderReads(request);
    const rewritten = withUrl(request, 'http://a.test/other');
    expect([reads.isAll, rewritten.signal === request.signal]).toEqual([false, true]);
    expect(userIn(new Request(rewritten))).toBe('ada');
    expect(reads.isAll).toBe(true);
  });

  it('passes values, names, the headers themselves and the given this to forEach()', () => {
    const calls: unknown[] = [];
    const given = {};
    const { isAll } = noted(({ headers }) => {
      headers.forEach(function (this: unknown, value, name, all) {
        calls.push([value, name, all === headers, this === given]);
      }, given);
    });
    expect(isAll).toBe(true);
    expect(calls).toEqual([
      ['a=1', 'cookie', true, true],
      ['ada', 'x-user', true, true],
    ]);
  });

  it('applies changes of the headers, and does not take them for reads', () => {
    const request = create();
    const change = ({ headers }: Request): void => {
      headers.set('x-user', 'eve');
      headers.append('x-new', '1');
      headers.delete('cookie');
    };
    expect(noted(change, request)).toEqual({ names: [], isAll: false });
    expect([...request.headers]).toEqual([
      ['x-new', '1'],
      ['x-user', 'eve'],
    ]);
  });

  it('returns headers that look like those of the platform', () => {
    const request = create();
    trackHeaderReads(request);
    const { headers } = request;
    const classOf = (object: object): unknown =>
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(object), 'constructor');
    expect(classOf(headers)).toEqual(classOf(new Headers()));
    expect(request.headers).toBe(headers);
    expect([headers.set.name, headers.set.length]).toEqual(['set', 2]);
  });

  it('lists the members of the request as the platform does', () => {
    const listOf = (request: Request): string[] => {
      const names: string[] = [];
      for (const name in request) names.push(name);
      return names.toSorted();
    };
    const request = create();
    trackHeaderReads(request);
    expect(listOf(request)).toEqual(listOf(new Request(url)));
  });

  it('lets other code replace members of the request', () => {
    const request = create();
    trackHeaderReads(request);
    for (const name of ['headers', 'clone', 'signal']) {
      Object.defineProperty(request, name, { value: name });
      expect(Reflect.get(request, name)).toBe(name);
    }
  });

  it('aborts the signal of a copy by the platform when the client leaves', () => {
    const client = new AbortController();
    const request = toHostRequest(new Request(url, { signal: client.signal }));
    trackHeaderReads(request);
    const copy = new Request(request);
    client.abort(new Error('it left'));
    expect([copy.signal.aborted, copy.signal.reason]).toEqual([true, new Error('it left')]);
  });

  it('notes reads of the property by which Deno copies the signal', () => {
    const key = Symbol('signalCache');
    const request = Object.assign(create(), { [key]: 'before' }) as Request & { [key]: unknown };
    const reads = trackHeaderReads(request);
    expect(request.signal).toBeInstanceOf(AbortSignal);
    request[key] = 'after';
    expect(reads.isAll).toBe(false);
    expect(request[key]).toBe('after');
    expect(reads.isAll).toBe(true);
    const copied = Object.assign(create(), { [key]: 'before' });
    trackHeaderReads(copied);
    expect(copied[key]).toBe('before');
  });

  it('shows that the client had left before', () => {
    const request = toHostRequest(new Request(url, { signal: AbortSignal.abort(new Error('it left')) }));
    trackHeaderReads(request);
    expect([request.signal.aborted, request.signal.reason]).toEqual([true, new Error('it left')]);
  });
});

it('finds out once whether the platform cannot copy a request unnoticed', async () => {
  vi.resetModules();
  const fresh = await import('./track-headers.ts');
  expect([fresh.noticesCopies(), fresh.noticesCopies()]).toEqual([true, true]);
});

describe('tracked headers', () => {
  const tracked = (request = create()): Headers => (trackHeaderReads(request), request.headers);

  it('have the tag of Headers', () => {
    expect(Object.prototype.toString.call(tracked())).toBe('[object Headers]');
  });

  it('refuse what the headers themselves refuse', () => {
    const request = create();
    trackHeaderReads(request);
    expect(() => toImmutableRequest(request).headers.set('a', '1')).toThrow(
      expect.objectContaining({ code: 'ERR_REQUEST_IMMUTABLE' }),
    );
  });

  it('tell a function that is called per header from one that is a name', () => {
    const name = Object.assign(() => undefined, { toString: () => 'x-user' });
    expect(tracked().get(name as never)).toBe('ada');
    expect(() => tracked(toHostRequest(new Request(url))).forEach(undefined as never)).toThrow(TypeError);
  });
});

it('leaves the signal of a request alone that is not of the platform, and of any request on Bun', () => {
  const plain = new Request(url);
  expect([isNative(create()), isNative(plain)]).toEqual([true, false]);
  vi.stubGlobal('Bun', {});
  const onBun = create();
  trackHeaderReads(onBun);
  vi.unstubAllGlobals();
  trackHeaderReads(plain);
  expect([plain, onBun].map((request) => Object.hasOwn(request, 'signal'))).toEqual([false, false]);
});
