import { describe, expect, it, vi } from 'vitest';
import { handlerOf, routeOf } from '../fixtures/app.ts';
import { setResponseHeaders } from '../helpers.ts';
import { finishHeaders, toChangeable, toVaryChange } from './response-headers.ts';
import { StatusError } from './status-error.ts';

describe('setResponseHeaders', () => {
  it('applies to returned, thrown, refused and missing answers', async () => {
    const handler = handlerOf(
      {
        middleware: { default: () => setResponseHeaders({ 'x-all': 'yes' }) },
        routes: {
          '/returned': { GET: () => new Response('r') },
          '/response': { GET: () => Promise.reject(new Response('t', { status: 409 })) },
          '/status': { GET: () => Promise.reject(new StatusError(418)) },
          '/error': { GET: () => Promise.reject(new Error('e')) },
          '/redirect': { GET: () => Response.redirect('http://app.test/') },
        },
      },
      { onError: () => {} },
    );
    const statuses: [path: string, status: number, method?: string][] = [
      ['/returned', 200],
      ['/response', 409],
      ['/status', 418],
      ['/error', 500],
      ['/redirect', 302],
      ['/missing', 404],
      ['/returned', 405, 'PUT'],
    ];
    for (const [path, status, method = 'GET'] of statuses) {
      const response = await handler(new Request(`http://app.test${path}`, { method }));
      expect([path, response.status, response.headers.get('x-all')]).toEqual([path, status, 'yes']);
    }
  });

  /** The error that a route gets for a mistake at its own line. */
  async function mistakeOf(given: Parameters<typeof setResponseHeaders>[0]): Promise<unknown> {
    let mistake: unknown;
    await routeOf(() => {
      try {
        setResponseHeaders(given);
      } catch (error) {
        mistake = error;
      }
      return new Response();
    })();
    return mistake;
  }

  it('refuses undefined and null as a value, with the name', async () => {
    for (const value of [undefined, null]) {
      for (const given of [value, ['fine', value]]) {
        expect(await mistakeOf({ 'x-user': given as never })).toMatchObject({
          code: 'ERR_HEADERS_INVALID',
          message: `setResponseHeaders() was given ${value} as the value of "x-user". Leave the name out.`,
        });
      }
    }
  });

  it('reports a callback that returns something else, also a promise, whose rejection ends nothing', async () => {
    const rejections: unknown[] = [];
    const note = (reason: unknown): void => void rejections.push(reason);
    process.on('unhandledRejection', note);
    try {
      for (const returned of [{ 'x-a': '1' }, null, Promise.reject(new Error('late'))]) {
        const onError = vi.fn();
        const get = routeOf(
          () => {
            setResponseHeaders(() => returned as never);
            return new Response('text');
          },
          { onError },
        );
        expect((await get()).status).toBe(500);
        expect(onError.mock.calls[0]?.[0]).toMatchObject({
          code: 'ERR_HEADERS_INVALID',
          message: expect.stringMatching(/returned neither a Headers nor nothing\. .* given, synchronously\.$/),
        });
      }
      await new Promise((resolve) => setImmediate(resolve));
      expect(rejections).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  it('accepts the same Headers returned from a callback, with each cookie once', async () => {
    const get = routeOf(() => {
      setResponseHeaders((headers) => {
        headers.append('set-cookie', 'a=1');
        return headers;
      });
      return new Response('text');
    });
    expect((await get()).headers.getSetCookie()).toEqual(['a=1']);
  });

  it('replaces the other names of a Headers rather than adding to them', async () => {
    const get = routeOf(() => {
      setResponseHeaders(new Headers({ 'x-a': 'new' }));
      return new Response('text', { headers: { 'x-a': 'old' } });
    });
    expect((await get()).headers.get('x-a')).toBe('new');
  });

  it('changes a Response in place, which preserves its body', async () => {
    const response = new Response('text');
    const get = routeOf(() => {
      setResponseHeaders({ 'x-a': '1' });
      return response;
    });
    expect(await get()).toBe(response);
  });

  it('sets strings, appends lists, appends the cookies of a Headers and sets its other names, in order', async () => {
    const get = routeOf(() => {
      setResponseHeaders({ 'x-a': '1', 'set-cookie': ['a=1', 'b=2'] });
      setResponseHeaders({ 'x-a': '2', 'x-b': ['1', '2'] });
      setResponseHeaders(
        new Headers([
          ['set-cookie', 'c=3'],
          ['set-cookie', 'd=4'],
          ['x-c', '1'],
        ]),
      );
      setResponseHeaders((headers) => headers.append('x-c', headers.get('content-type') ?? ''));
      setResponseHeaders((headers) => new Headers([['x-d', String(headers.getSetCookie().length)]]));
      return new Response('hello', { headers: { 'x-a': '0', 'x-b': '0', 'set-cookie': 'own=1' } });
    });
    const { headers } = await get();
    expect(headers.getSetCookie()).toEqual(['own=1', 'a=1', 'b=2', 'c=3', 'd=4']);
    expect([headers.get('x-a'), headers.get('x-b'), headers.get('x-c'), headers.get('x-d')]).toEqual([
      '2',
      '0, 1, 2',
      '1, text/plain;charset=UTF-8',
      '5',
    ]);
  });

  it('copies a Headers at the time of the call', async () => {
    const response = await routeOf(() => {
      const given = new Headers({ 'x-a': '1' });
      setResponseHeaders(given);
      given.set('x-a', '2');
      return new Response();
    })();
    expect(response.headers.get('x-a')).toBe('1');
  });

  it('keeps the headers of one request out of the next when a route returns a constant Response', async () => {
    const constant = new Response(null, { status: 201, headers: { 'x-own': '1' } });
    let visit = 0;
    const get = routeOf(() => {
      visit++;
      if (visit < 3) setResponseHeaders({ 'set-cookie': [`session=${visit}`] });
      return constant;
    });
    const seen = [];
    for (let request = 0; request < 3; request++) {
      const { headers } = await get();
      seen.push([headers.getSetCookie(), headers.get('x-own')]);
    }
    expect(seen).toEqual([
      [['session=1'], '1'],
      [['session=2'], '1'],
      [[], '1'],
    ]);
  });

  it('throws at the call for an invalid name or value', async () => {
    const onError = vi.fn();
    await routeOf(
      () => {
        expect(() => setResponseHeaders({ 'bad name': 'x' })).toThrow(TypeError);
        expect(() => setResponseHeaders({ 'x-a': 'a\r\nx-b: injected' })).toThrow(TypeError);
        expect(() => setResponseHeaders({ 'x-a': undefined as never })).toThrow('Leave the name out');
        return new Response();
      },
      { onError },
    )();
    expect(onError).not.toHaveBeenCalled();
  });

  it('answers 500 and reports it when a callback fails or is asynchronous', async () => {
    for (const callback of [
      () => Promise.reject(new Error('late')),
      () => {
        throw new Error('now');
      },
    ]) {
      const onError = vi.fn();
      const response = await routeOf(
        () => {
          setResponseHeaders(callback as never);
          return new Response('x');
        },
        { onError },
      )();
      expect(response.status).toBe(500);
      expect(onError).toHaveBeenCalledTimes(1);
    }
  });
});

describe('the headers of the manifest', () => {
  const headers = { 'X-Either': 'manifest', 'x-list': ['one', 'two'], 'Set-Cookie': ['a=1', 'b=2'] };
  const answer = async (GET: () => unknown): Promise<Response> =>
    handlerOf({ routes: { '/': { GET } }, headers }, { onError() {} })(new Request('http://app.test/'));

  it('are on every answer', async () => {
    const handler = handlerOf({ routes: { '/': { GET: () => null } }, headers }, { onError() {} });
    for (const [path, method, status] of [
      ['/', 'GET', 500],
      ['/', 'POST', 405],
      ['/x', 'GET', 404],
      ['/%', 'GET', 400],
    ] as const) {
      const response = await handler(new Request(`http://app.test${path}`, { method }));
      expect([response.status, response.headers.get('x-either')]).toEqual([status, 'manifest']);
      expect([response.headers.get('x-list'), response.headers.getSetCookie()]).toEqual(['one, two', ['a=1', 'b=2']]);
    }
    expect((await answer(() => Response.redirect('http://app.test/'))).headers.get('x-either')).toBe('manifest');
  });

  it("are overridden by the answer's own, except for cookies, to which the answer's are appended", async () => {
    const own = { 'x-either': 'own', 'x-list': 'own', 'set-cookie': 'a=own' };
    const response = await answer(() => new Response('text', { headers: own }));
    expect([response.headers.get('x-either'), response.headers.get('x-list')]).toEqual(['own', 'own']);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2', 'a=own']);
  });

  it('are set before setResponseHeaders is applied', async () => {
    const response = await answer(() => {
      setResponseHeaders({ 'x-either': 'set', 'x-list': ['three'] });
      setResponseHeaders((now) => now.set('x-saw', now.getSetCookie().join('|')));
      return new Response('text');
    });
    expect([response.headers.get('x-either'), response.headers.get('x-list')]).toEqual(['set', 'one, two, three']);
    expect(response.headers.get('x-saw')).toBe('a=1|b=2');
  });

  it('are added only once to a Response that is returned again', async () => {
    const same = new Response(null, { status: 204 });
    const handler = handlerOf({ routes: { '/': { GET: () => same } }, headers });
    for (let time = 0; time < 3; time++) {
      const response = await handler(new Request('http://app.test/'));
      expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    }
  });
});

it('adds a name to Vary unless it is listed, or everything is', () => {
  const varyOf = (vary: string): string | null => {
    const headers = new Headers({ vary });
    toVaryChange('Accept')(headers);
    return headers.get('vary');
  };
  expect(varyOf('origin')).toBe('origin, Accept');
  for (const listed of ['origin, accept', 'accept , origin', 'origin, *']) expect(varyOf(listed)).toBe(listed);
});

it('gives a Response that may be changed for one request: itself first, then copies as it was', () => {
  const response = new Response(null, { status: 201, headers: { 'x-a': '1' } });
  expect(toChangeable(response)).toBe(response);
  response.headers.set('x-a', '2');
  const next = toChangeable(response);
  expect([next === response, next.status, next.headers.get('x-a')]).toEqual([false, 201, '1']);
});

describe('the headers of an answer that upgrades the connection', () => {
  it('are its own for each request on Deno, where all such answers are one object', () => {
    const headers = { upgrade: 'websocket' };
    const upgrade = Object.defineProperty(new Response(null, { headers }), 'status', { value: 101 });
    for (const name of ['x-first', 'x-second']) {
      const finished = finishHeaders(upgrade, [(changed) => changed.set(name, '1')]);
      expect(finished).toBe(upgrade);
      expect([...finished.headers]).toEqual([[name, '1']]);
    }
    expect(toChangeable(upgrade)).toBe(upgrade);
    expect([...upgrade.headers]).toEqual([]);
  });

  it('are sent on Cloudflare, with the same WebSocket', () => {
    // As that of Cloudflare, which Node refuses to make.
    class WorkerResponse extends Response {
      declare webSocket: unknown;

      constructor(body: null, { status, webSocket, headers }: ResponseInit & { webSocket: unknown }) {
        super(body, { headers: headers ?? {} });
        Object.defineProperties(this, { status: { value: status }, webSocket: { value: webSocket } });
      }
    }
    vi.stubGlobal('Response', WorkerResponse);
    const webSocket = {};
    const upgrade = new WorkerResponse(null, { status: 101, webSocket, headers: { 'x-own': '1' } });
    const finished = finishHeaders(upgrade, [(headers) => headers.set('x-set', '2')]);
    vi.unstubAllGlobals();
    expect(finished).toMatchObject({ status: 101, webSocket });
    expect([...finished.headers]).toEqual([
      ['x-own', '1'],
      ['x-set', '2'],
    ]);
    expect([...upgrade.headers]).toEqual([['x-own', '1']]);
  });
});
