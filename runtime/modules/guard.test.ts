import { describe, expect, it, vi } from 'vitest';
import { handlerOf } from '../fixtures/app.ts';
import type { App } from '../fixtures/app.ts';
import { deferTask, locals, runTask, setResponseHeaders, StatusError } from '../index.ts';
import type { Next } from '../index.ts';

declare module '../index.ts' {
  interface Locals {
    user?: string;
  }
}

type Run = (request: Request, next: Next) => unknown;

/** Answers a request, and collects what is reported. */
async function ask(
  app: App,
  path: string,
  { reported = [], ...init }: RequestInit & { reported?: unknown[] } = {},
): Promise<Response> {
  const handler = handlerOf(app, { onError: (error) => void reported.push(error) });
  return handler(new Request(`http://app.test${path}`, init));
}

/** Middleware that records when it runs. */
function noting(notes: string[], name: string): { default: Run } {
  return {
    async default(_, next) {
      notes.push(`${name} in`);
      const response = await next();
      notes.push(`${name} out ${response.status}`);
      return response;
    },
  };
}

describe('middleware of folders', () => {
  const GET = (): Response => new Response('route');

  it('runs from the top down, and then sees the answer from the bottom up', async () => {
    const notes: string[] = [];
    const app: App = {
      routes: { '/a/b/c': { GET }, '/ab': { GET } },
      middleware: noting(notes, 'top'),
      folders: { '/a': noting(notes, 'a'), '/a/b': noting(notes, 'b'), '/a/x': noting(notes, 'x') },
    };
    expect(await (await ask(app, '/a/b/c')).text()).toBe('route');
    expect(notes).toEqual(['top in', 'a in', 'b in', 'b out 200', 'a out 200', 'top out 200']);
    notes.length = 0;
    await ask(app, '/ab');
    expect(notes).toEqual(['top in', 'top out 200']);
  });

  it('runs for paths below its folder that nothing answers, and for methods that nothing answers', async () => {
    const app: App = { routes: { '/a/b': { GET } }, folders: { '/a': { default: () => new Response('stop') } } };
    for (const path of ['/a', '/a/', '/a/none', '/%61/none', '/x/../a/none', '/a/b']) {
      expect(await (await ask(app, path)).text(), path).toBe('stop');
    }
    expect(await (await ask(app, '/a/b', { method: 'DELETE' })).text()).toBe('stop');
    expect((await ask(app, '/other')).status).toBe(404);
  });

  it('runs for the destination of a rewrite, once', async () => {
    const notes: string[] = [];
    const app: App = {
      routes: { '/a/b': { GET } },
      rewrites: [{ source: '/shown', destination: '/a/b' }],
      middleware: noting(notes, 'top'),
      folders: { '/a': noting(notes, 'a') },
    };
    await ask(app, '/shown');
    expect(notes).toEqual(['top in', 'a in', 'a out 200', 'top out 200']);
  });

  it('runs in front of the not-found page of its folder, not twice if a page has run it', async () => {
    const notes: string[] = [];
    const missing = async (): Promise<Response> => {
      throw new StatusError(404);
    };
    const app: App = {
      pages: { '/a/page': { GET: missing } },
      notFound: { '/a': { GET: () => new Response('not here') } },
      folders: { '/a': noting(notes, 'a') },
    };
    const accept = { headers: { accept: 'text/html' } };
    expect(await (await ask(app, '/a/none', accept)).text()).toBe('not here');
    expect(notes).toEqual(['a in', 'a out 404']);
    notes.length = 0;
    expect(await (await ask(app, '/a/page', accept)).text()).toBe('not here');
    expect(notes).toEqual(['a in', 'a out 404']);
  });

  it('guards HEAD of a page where it guards GET', async () => {
    const config = { matcher: { methods: ['GET'] } };
    const app: App = { pages: { '/a': { GET } }, folders: { '/a': { default: () => new Response('stop'), config } } };
    expect(await (await ask(app, '/a', { method: 'HEAD' })).text()).toBe('stop');
  });

  it('fits its matcher to the whole path', async () => {
    const config = { matcher: { patterns: ['/a/private'] } };
    const app: App = {
      routes: { '/a/private': { GET }, '/a/public': { GET } },
      folders: { '/a': { default: () => new Response('stop'), config } },
    };
    expect(await (await ask(app, '/a/private')).text()).toBe('stop');
    expect(await (await ask(app, '/a/public')).text()).toBe('route');
  });
});

describe('next()', () => {
  function around(run: Run, GET: () => unknown = () => new Response('route')): App {
    return { routes: { '/': { GET } }, middleware: { default: run } };
  }

  it('returns an answer that can be changed, replaced or passed on', async () => {
    const changing = around(async (_, next) => {
      const response = await next();
      response.headers.set('x-seen', 'yes');
      return response;
    });
    expect((await ask(changing, '/')).headers.get('x-seen')).toBe('yes');
    const replacing = around(async (_, next) => new Response(`<${await (await next()).text()}>`));
    expect(await (await ask(replacing, '/')).text()).toBe('<route>');
    const leaving = around(async (_, next) => void (await next()));
    expect(await (await ask(leaving, '/')).text()).toBe('route');
    const forgetting = around((_, next) => void next());
    expect(await (await ask(forgetting, '/')).text()).toBe('route');
    const declining = around(async (_, next) => (await next(), null));
    expect(await (await ask(declining, '/')).text()).toBe('route');
  });

  it('returns the same answer to each middleware that it passes', async () => {
    const seen: Response[] = [];
    const noting: Run = async (_, next) => {
      const response = await next();
      seen.push(response);
      return response;
    };
    const app = { ...around(noting), folders: { '/a': { default: noting } } };
    await ask({ ...app, routes: { '/a/b': { GET: () => new Response('route') } } }, '/a/b');
    expect(seen).toHaveLength(2);
    expect(seen[0]).toBe(seen[1]);
  });

  it('returns an answer with the members of a Response of the platform, which may be replaced', async () => {
    const listOf = (response: Response): string[] => {
      const names: string[] = [];
      for (const name in response) names.push(name);
      return names.toSorted();
    };
    let given: Response | undefined;
    const app = around(async (_, next) => {
      given = await next();
      return Object.defineProperty(given, 'body', { value: null });
    });
    expect((await ask(app, '/')).status).toBe(200);
    expect(given && listOf(given)).toEqual(listOf(new Response()));
  });

  it('does not touch the body of an answer that changes the protocol', async () => {
    let given: Response | undefined;
    const headers = { upgrade: 'websocket' };
    const upgrade = Object.defineProperty(new Response(null, { headers }), 'status', { value: 101 });
    const app = around(
      async (_, next) => void (given = await next()),
      () => upgrade,
    );
    await ask(app, '/');
    expect([given?.status, given && Object.hasOwn(given, 'body')]).toEqual([101, false]);
  });

  it('changes neither an immutable answer nor a constant of a route', async () => {
    const kept = new Response(null, { status: 204 });
    for (const GET of [() => Response.redirect('http://app.test/x'), () => kept]) {
      let count = 0;
      const app = around(async (_, next) => {
        const response = await next();
        if (count++ === 0) response.headers.append('set-cookie', 'of=one');
        return response;
      }, GET);
      const handler = handlerOf(app);
      const [first, second] = [
        await handler(new Request('http://app.test/')),
        await handler(new Request('http://app.test/')),
      ];
      expect([first.headers.get('set-cookie'), second.headers.get('set-cookie')]).toEqual(['of=one', null]);
    }
  });

  it('returns errors as the answers that they become, reports them once, and starts no deferred task after an error', async () => {
    const started: string[] = [];
    const seen: number[] = [];
    const reported: unknown[] = [];
    const app = around(
      async (_, next) => {
        const { status } = await next();
        seen.push(status);
      },
      () => {
        deferTask(() => void started.push('deferred'));
        throw new Error('db');
      },
    );
    const answer = await ask(app, '/', { reported });
    expect([answer.status, await answer.text(), seen]).toEqual([500, 'Internal server error', [500]]);
    expect(reported).toEqual([new Error('db')]);
    await new Promise((resolve) => setTimeout(resolve));
    expect(started).toEqual([]);
  });

  it('returns a thrown Response as an answer', async () => {
    const app = around(
      async (_, next) => new Response(String((await next()).status)),
      () => {
        throw new Response('no', { status: 402 });
      },
    );
    expect(await (await ask(app, '/')).text()).toBe('402');
  });

  it('names the route when the route returns no Response, and the middleware when the middleware does not', async () => {
    const reported: { message?: string }[] = [];
    await ask(
      around(
        (_, next) => next(),
        () => 'text',
      ),
      '/',
      { reported },
    );
    await ask(
      around(async (_, next) => {
        await next();
        return 'text';
      }),
      '/',
      { reported },
    );
    expect(reported.map(({ message }) => message)).toEqual([
      expect.stringContaining('GET of /+api.js returned a string'),
      expect.stringContaining('The middleware +middleware.js returned a string'),
    ]);
  });

  it('ends the body of an answer that is not sent', async () => {
    const ended = Promise.withResolvers<string>();
    const app = around(
      async (_, next) => {
        await next();
        return new Response('instead');
      },
      () => new Response(new ReadableStream({ cancel: () => ended.resolve('cancelled') })),
    );
    expect(await (await ask(app, '/')).text()).toBe('instead');
    expect(await ended.promise).toBe('cancelled');
  });

  it('ends the body of an answer that is not sent because the middleware fails', async () => {
    const failing: Run[] = [
      (_, next) => {
        void next();
        throw new Error('after next()');
      },
      async (_, next) => {
        await next();
        throw new Error('after next()');
      },
    ];
    for (const run of failing) {
      const ended = Promise.withResolvers<string>();
      const app = around(run, () => new Response(new ReadableStream({ cancel: () => ended.resolve('cancelled') })));
      expect((await ask(app, '/')).status).toBe(500);
      expect(await ended.promise).toBe('cancelled');
    }
  });

  it('does not cancel a body that is sent, in the same or another Response', async () => {
    const passing: Run[] = [
      async (_, next) => {
        const { body, headers } = await next();
        return new Response(body, { status: 203, headers });
      },
      async (_, next) => {
        const response = await next();
        response.headers.set('x-seen', 'yes');
        return response;
      },
    ];
    for (const run of passing) {
      const answer = await ask(around(run), '/');
      // Bodies are cancelled a turn later.
      await new Promise((resolve) => setTimeout(resolve));
      await new Promise((resolve) => setTimeout(resolve));
      expect(await answer.text()).toBe('route');
    }
  });

  it('is not needed for an answer at once: middleware and route that return one do not delay it', async () => {
    const handler = handlerOf(around(() => undefined));
    // Its module is loaded first.
    await handler(new Request('http://app.test/'));
    expect(handler(new Request('http://app.test/'))).toBeInstanceOf(Response);
  });

  it('rejects if it is called twice', async () => {
    const reported: unknown[] = [];
    const app = around(async (_, next) => {
      await next();
      return next();
    });
    expect((await ask(app, '/', { reported })).status).toBe(500);
    expect(reported).toEqual([
      expect.objectContaining({ code: 'ERR_NEXT_CALLED', message: expect.stringContaining('+middleware.js') }),
    ]);
  });

  it('rejects once the middleware has returned, so that no route answers twice', async () => {
    let count = 0;
    const late: unknown[] = [];
    for (const isAsync of [true, false]) {
      let call: Next | undefined;
      const run = (next: Next): void => void (call = next);
      const app = around(isAsync ? async (_, next) => run(next) : (_, next) => run(next), () => {
        count++;
        return new Response('route');
      });
      expect(await (await ask(app, '/')).text()).toBe('route');
      await call?.().catch((error: unknown) => late.push(error));
    }
    expect(count).toBe(2);
    expect(late).toEqual(
      Array(2).fill(
        expect.objectContaining({
          code: 'ERR_NEXT_CALLED',
          message: expect.stringContaining('after the middleware had returned'),
        }),
      ),
    );
  });

  it('rejects once the middleware has thrown, so that no route answers then', async () => {
    const GET = vi.fn(() => new Response('route'));
    for (const isAsync of [true, false]) {
      let call: Next | undefined;
      const run = (next: Next): never => {
        call = next;
        throw new Error('broken');
      };
      const app = around(isAsync ? async (_, next) => run(next) : (_, next) => run(next), GET);
      const reported: unknown[] = [];
      expect((await ask(app, '/', { reported })).status).toBe(500);
      expect(reported).toEqual([new Error('broken')]);
      await expect(call?.()).rejects.toMatchObject({ code: 'ERR_NEXT_CALLED' });
    }
    expect(GET).not.toHaveBeenCalled();
  });

  it('covers redirects and rewrites of the config', async () => {
    const seen: (string | null)[] = [];
    const app: App = {
      routes: { '/': { GET: () => new Response('route') } },
      redirects: [{ source: '/old', destination: '/' }],
      middleware: { default: async (_: Request, next: Next) => void seen.push((await next()).headers.get('location')) },
    };
    await ask(app, '/old');
    expect(seen).toEqual(['/']);
  });

  it('returns an answer to which the headers set by helpers are added later', async () => {
    let seen: string | null = '';
    const app = around(
      async (_, next) => {
        seen = (await next()).headers.get('x-late');
      },
      () => {
        setResponseHeaders({ 'x-late': 'set' });
        return new Response('route');
      },
    );
    expect((await ask(app, '/')).headers.get('x-late')).toBe('set');
    expect(seen).toBe(null);
  });
});

describe('locals()', () => {
  it('is the same object for middleware, route and task, and a new one for each request', async () => {
    const seen = Promise.withResolvers<string | undefined>();
    const app: App = {
      routes: {
        '/': {
          GET: () => {
            runTask(() => seen.resolve(locals().user));
            return new Response(locals().user);
          },
        },
      },
      middleware: {
        default: ({ headers }: Request) => {
          const name = headers.get('x-name');
          if (name !== null) locals().user = name;
        },
      },
    };
    const handler = handlerOf(app);
    const of = async (headers: Record<string, string>): Promise<string> =>
      (await handler(new Request('http://app.test/', { headers }))).text();
    expect(await Promise.all([of({ 'x-name': 'Ada' }), of({ 'x-name': 'Bo' }), of({})])).toEqual(['Ada', 'Bo', '']);
    expect(await seen.promise).toBe('Ada');
  });

  it('throws outside a request', () => {
    expect(() => locals()).toThrow('locals() was called outside a request');
  });
});
