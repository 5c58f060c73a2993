import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildOf, handlerOf, routeOf } from '../fixtures/app.ts';
import { createHandler } from '../handler.ts';
import { deferTask, environment, nonce, origin, requestId, runTask, setResponseHeaders } from '../helpers.ts';
import { StatusError } from '../http/status-error.ts';
import { cache, invalidate } from '../keep.ts';
import { requestStore } from './context.ts';
import type { FetchContext } from './fetch-context.ts';
import type { HostContext } from './handler-context.ts';

describe('environment()', () => {
  async function environmentFor(
    option: string | undefined,
    host: string | undefined,
    nodeEnv: string | undefined,
  ): Promise<string | null> {
    vi.stubEnv('NODE_ENV', nodeEnv);
    let seen: string | null = 'unset';
    const handler = handlerOf(
      { routes: { '/': { GET: () => ((seen = environment()), new Response()) } } },
      { environment: option },
    );
    await handler(new Request('http://app.test/'), { environment: host });
    vi.unstubAllEnvs();
    return seen;
  }

  it("is the option, otherwise the host's, otherwise NODE_ENV, and null for production or a missing name", async () => {
    expect(await environmentFor('staging', 'preview', 'test')).toBe('staging');
    expect(await environmentFor(undefined, 'preview', 'test')).toBe('preview');
    expect(await environmentFor(undefined, undefined, 'test')).toBe('test');
    expect(await environmentFor('production', 'preview', 'test')).toBe(null);
    expect(await environmentFor(undefined, 'production', 'test')).toBe(null);
    expect(await environmentFor(undefined, undefined, '')).toBe(null);
    expect(await environmentFor(undefined, undefined, undefined)).toBe(null);
  });
});

describe('the request context', () => {
  it('is each request’s own across 1,000 concurrent ones', async () => {
    const handler = handlerOf({
      routes: {
        '/[id]': {
          GET: async (_request: Request, { id }: { id: string }) => {
            for (let turn = 0; turn < Number(id) % 7; turn++) await new Promise((resolve) => setTimeout(resolve));
            setResponseHeaders({ 'x-id': id });
            return new Response(origin());
          },
        },
      },
    });
    const ids = Array.from({ length: 1000 }, (_, id) => id);
    const answers = await Promise.all(
      ids.map(async (id) => {
        const headers = { origin: `https://h${id}.test` };
        const response = await handler(new Request(`http://app.test/${id}`, { headers }));
        return [response.headers.get('x-id'), await response.text()];
      }),
    );
    expect(answers).toEqual(ids.map((id) => [String(id), `https://h${id}.test`]));
  });

  it('is shared by two copies of this package', async () => {
    vi.resetModules();
    const copy = await import('../index.ts');
    expect(copy.StatusError).not.toBe(StatusError);
    const handler = handlerOf({
      routes: {
        '/helpers': {
          GET: () => {
            copy.setResponseHeaders({ 'x-copy': '1' });
            return new Response(copy.origin());
          },
        },
        '/error': { GET: () => Promise.reject(new copy.StatusError(418, 'copied')) },
      },
    });
    const response = await handler(new Request('http://app.test/helpers'));
    expect([response.headers.get('x-copy'), await response.text()]).toEqual(['1', 'http://app.test']);
    expect((await handler(new Request('http://app.test/error'))).status).toBe(418);
  });

  it('does not exist while a module loads, whichever request loads it', async () => {
    const build = buildOf({ routes: { '/': {} } });
    let atLoad: unknown;
    build.modules['/+api.js'] = async () => {
      atLoad = await Promise.resolve()
        .then(origin)
        .catch((error: unknown) => error);
      return { GET: () => new Response(origin()) };
    };
    const response = await createHandler(build)(new Request('http://app.test/'));
    expect(await response.text()).toBe('http://app.test');
    expect(String(atLoad)).toContain('outside a request');
  });

  it('outside a request, each helper throws an error with its name', () => {
    const calls: [name: string, call: () => unknown][] = [
      ['origin()', () => origin()],
      ['environment()', () => environment()],
      ['runTask()', () => runTask(() => {})],
      ['deferTask()', () => deferTask(() => {})],
      ['setResponseHeaders()', () => setResponseHeaders({})],
      ['nonce()', () => nonce()],
    ];
    for (const [name, call] of calls) {
      expect(call).toThrow(
        `${name} was called outside a request. Call it inside a route handler or middleware, not at module level, and run ` +
          'the route through a createRequestHandler of appkit-server.',
      );
    }
  });

  it('is where copies of other releases look for it', () => {
    expect(Reflect.get(globalThis, Symbol.for('appkit.requestContext'))).toBe(requestStore());
  });
});

describe('an error of a request whose client has left', () => {
  const aborted = new DOMException('it left', 'AbortError');

  /** What is reported when a route throws. */
  async function reportedFor(thrown: unknown, hasLeft: boolean, host: HostContext = {}): Promise<unknown[]> {
    const client = new AbortController();
    const reported: unknown[] = [];
    const GET = (): never => {
      if (hasLeft) client.abort();
      throw thrown;
    };
    const handler = handlerOf({ routes: { '/': { GET } } }, { onError: (error) => void reported.push(error) });
    await handler(new Request('http://app.test/', { signal: client.signal }), host);
    return reported;
  }

  it('is not reported if it is an AbortError, which any client can cause', async () => {
    expect(await reportedFor(aborted, true)).toEqual([]);
  });

  it('is not reported if the host recognizes it', async () => {
    const reset = new Error('read ECONNRESET');
    expect(await reportedFor(reset, false, { isDisconnect: (error) => error === reset })).toEqual([]);
    expect(await reportedFor(aborted, true, { isDisconnect: () => false })).toEqual([]);
  });

  it('is not what a host cannot look at', async () => {
    const failing = new Error('broken');
    const isDisconnect = (): never => {
      throw new Error('A getter of the error failed.');
    };
    expect(await reportedFor(failing, false, { isDisconnect })).toEqual([failing]);
  });

  it('does not count as a failure of the route in traces', async () => {
    const client = new AbortController();
    const failures: unknown[] = [];
    const GET = ({ url }: Request): never => {
      if (url.endsWith('left')) client.abort();
      throw aborted;
    };
    const middleware = {
      default: async (_: Request, next: () => Promise<Response>) => {
        await next();
        failures.push(requestStore().getStore()?.failure);
      },
    };
    const handler = handlerOf({ routes: { '/[at]': { GET } }, middleware }, { onError: () => undefined });
    for (const at of ['here', 'left']) await handler(new Request(`http://app.test/${at}`, { signal: client.signal }));
    expect(failures).toEqual([aborted, undefined]);
  });

  it('is reported if it is any other', async () => {
    const failed = new Error('the database is away');
    expect(await reportedFor(failed, true)).toEqual([failed]);
    expect(await reportedFor(null, true)).toEqual([null]);
    expect(await reportedFor(aborted, false)).toEqual([aborted]);
  });
});

it('tells the host of an error, but not of an answer that was thrown', async () => {
  const onFailure = vi.fn();
  const handler = handlerOf(
    {
      routes: {
        '/error': { GET: () => Promise.reject(new Error('broken')) },
        '/refused': { GET: () => Promise.reject(new StatusError(403)) },
      },
    },
    { onError: () => undefined },
  );
  await handler(new Request('http://app.test/refused'), { onFailure });
  expect(onFailure).not.toHaveBeenCalled();
  await handler(new Request('http://app.test/error'), { onFailure });
  expect(onFailure).toHaveBeenCalledOnce();
});

it('leaves the coding out of a fetched answer exactly where fetch() decodes it and keeps the header', async () => {
  const server = createServer((_, response) => {
    response.setHeader('content-encoding', 'gzip').end(gzipSync('upstream'));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const handler = handlerOf({ routes: { '/': { GET: () => fetch(`http://127.0.0.1:${port}/`) } } });
  const codingOn = async (host: HostContext): Promise<unknown> => {
    const response = await handler(new Request('http://app.test/'), host);
    return [response.headers.get('content-encoding'), await response.text()];
  };
  expect(await codingOn({ decodesFetched: true })).toEqual([null, 'upstream']);
  expect(await codingOn({})).toEqual(['gzip', 'upstream']);
});

it('works on a host without process', async () => {
  const seen: unknown[] = [];
  const handler = createHandler({
    fetch(_: Request, context: FetchContext) {
      vi.stubGlobal('process', undefined);
      try {
        seen.push(environment(), context.env);
      } finally {
        vi.unstubAllGlobals();
      }
      return new Response();
    },
  });
  await handler(new Request('http://app.test/'));
  expect(seen).toEqual([null, {}]);
});

describe('nonce()', () => {
  it('is the same throughout a request and new for each, with 244 random bits in hexadecimal', async () => {
    const get = routeOf(() => Response.json([nonce(), nonce()]));
    const [first, second] = [await (await get()).json(), await (await get()).json()] as [string[], string[]];
    expect(first[0]).toMatch(/^[\da-f]{64}$/);
    expect(first[1]).toBe(first[0]);
    expect(second[0]).not.toBe(first[0]);
  });
});

describe('a helper that is called too late', () => {
  /** The error of code that runs in a deferred task. */
  async function errorOf(late: () => void): Promise<unknown> {
    const tasks: Promise<unknown>[] = [];
    let seen: unknown;
    const GET = (): Response => {
      deferTask(late);
      return new Response();
    };
    const handler = handlerOf({ routes: { '/': { GET } } }, { onError: (error) => void (seen = error) });
    await handler(new Request('http://app.test/'), { waitUntil: (task) => tasks.push(task) });
    await Promise.all(tasks);
    return seen;
  }

  it('says so', async () => {
    expect(await errorOf(() => setResponseHeaders({ 'x-late': '1' }))).toMatchObject({
      code: 'ERR_RESPONSE_SENT',
      message:
        'setResponseHeaders() was called after the response has already been sent. Call it before the handler returns; ' +
        'a deferred task is too late.',
    });
    expect(await errorOf(() => cache({ maxAge: 60 }))).toMatchObject({
      code: 'ERR_RESPONSE_SENT',
      message: 'cache() was called after the response has already been sent. Call it before the handler returns.',
    });
  });
});

it('names the helper that was given no task', async () => {
  const messages: string[] = [];
  const get = routeOf(() => {
    for (const helper of [runTask, deferTask]) {
      try {
        helper('send' as never);
      } catch (error) {
        messages.push((error as Error).message);
      }
    }
    return new Response();
  });
  await get();
  expect(messages).toEqual([expect.stringContaining('runTask()'), expect.stringContaining('deferTask()')]);
});

it('invalidates nothing where nothing is kept', async () => {
  const get = routeOf(async () => (await invalidate('posts'), new Response('done')));
  expect(await (await get()).text()).toBe('done');
});

describe('a request that app code makes to its own app', () => {
  it('has the same id, calls no hook, and does not decide how the first answer is kept', async () => {
    const onResponse = vi.fn();
    const onKept = vi.fn();
    const onFailure = vi.fn();
    const handler = handlerOf(
      {
        routes: {
          '/': {
            GET: async () => {
              const context = requestStore().getStore();
              const inner = await context?.dispatch?.(new Request('http://app.test/inner'));
              const broken = await context?.dispatch?.(new Request('http://app.test/broken'));
              return Response.json([requestId(), await inner?.json(), broken?.status]);
            },
          },
          '/inner': { GET: () => (cache({ maxAge: 60 }), Response.json(requestId())) },
          '/broken': { GET: () => Promise.reject(new Error('broken')) },
        },
      },
      { onResponse, onError: () => undefined },
    );
    const response = await handler(new Request('http://app.test/'), { requestId: 'r1', onKept, onFailure });
    expect(await response.json()).toEqual(['r1', 'r1', 500]);
    expect(onResponse).toHaveBeenCalledOnce();
    expect(onKept).not.toHaveBeenCalled();
    expect(onFailure).not.toHaveBeenCalled();
  });

  it('may be the same request for another URL', async () => {
    const get = routeOf((request) => {
      const other = requestStore().getStore()?.withUrl?.(request, 'http://app.test/other?x');
      return Response.json([other?.url, other?.headers.get('x-user')]);
    });
    const response = await get({ headers: { 'x-user': 'ada' } });
    expect(await response.json()).toEqual(['http://app.test/other?x', 'ada']);
  });
});

it('reports something thrown that cannot be sent', async () => {
  const onError = vi.fn();
  const used = new Response('used');
  await used.text();
  const response = await routeOf(() => Promise.reject(used), { onError })();
  expect(response.status).toBe(500);
  expect(onError.mock.calls[0]?.[0]).toMatchObject({
    code: 'ERR_RESPONSE_INVALID',
    message: expect.stringMatching(/^What was thrown of a route gave a Response whose body has already been read/),
  });
});

it('keeps every cookie of the Response that onError returns', async () => {
  const headers = new Headers({ 'x-own': '1' });
  for (const cookie of ['a=1', 'b=2']) headers.append('set-cookie', cookie);
  const onError = (): Response => new Response('sorry', { status: 503, headers });
  const response = await routeOf(() => Promise.reject(new Error('broken')), { onError })();
  expect([response.status, response.headers.get('x-own'), response.headers.getSetCookie()]).toEqual([
    503,
    '1',
    ['a=1', 'b=2'],
  ]);
});
