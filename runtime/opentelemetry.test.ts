import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { TracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace';
import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { handlerOf } from './fixtures/app.ts';
import type { App } from './fixtures/app.ts';
import { cache, deferTask, runTask } from './index.ts';
import { defineJob, enqueue } from './jobs.ts';
import type { Enqueued } from './jobs.ts';
import type { JobEnvelope } from './jobs/engine.ts';
import { createJobRunner } from './jobs/run-message.ts';
import { traceRequests } from './opentelemetry.ts';
import { createRequest } from './request/create-request.ts';

const exporter = new InMemorySpanExporter();
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());
trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));

beforeEach(() => exporter.reset());

afterAll(() => {
  trace.disable();
  propagation.disable();
  context.disable();
});

function spanBelow(name: string): void {
  trace.getTracer('test').startSpan(name).end();
}

async function ask(
  app: App,
  path: string,
  { reported = [], ...init }: RequestInit & { reported?: unknown[] } = {},
): Promise<Response> {
  const traced = { instrumentation: { default: traceRequests({ serverTiming: true }) }, ...app };
  const handler = handlerOf(traced, { onError: (error) => void reported.push(error) });
  return handler(new Request(`https://app.test${path}`, init));
}

function spansBy(kind: SpanKind): ReadableSpan[] {
  return exporter.getFinishedSpans().filter((span) => span.kind === kind);
}

describe('traceRequests()', () => {
  const app: App = {
    routes: {
      '/users/[id]': {
        GET: () => {
          spanBelow('route');
          return new Response('ok');
        },
      },
      '/error': { GET: () => Promise.reject(new RangeError('db')) },
    },
  };

  it("creates a server span by the conventions, which continues the client's trace", async () => {
    const id = '0af7651916cd43dd8448eb211c80319c';
    const headers = { traceparent: `00-${id}-b7ad6b7169203331-01`, 'user-agent': 'tester' };
    const answer = await ask(app, '/users/7?token=secret', { headers });
    expect(answer.headers.get('server-timing')).toMatch(/^app;dur=\d+\.\d$/);
    const [span] = spansBy(SpanKind.SERVER);
    expect([span?.name, span?.spanContext().traceId, span?.parentSpanContext?.spanId]).toEqual([
      'GET /users/[id]',
      id,
      'b7ad6b7169203331',
    ]);
    expect(span?.attributes).toEqual({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'http.route': '/users/[id]',
      'server.address': 'app.test',
      'url.path': '/users/7',
      'url.scheme': 'https',
      'user_agent.original': 'tester',
    });
    expect(span?.status.code).toBe(SpanStatusCode.UNSET);
  });

  it('is the parent of spans in middleware, routes and tasks of its own request only', async () => {
    const ended = Promise.withResolvers<void>();
    const tasks: App = {
      middleware: { default: () => spanBelow('middleware') },
      routes: {
        '/[id]': {
          GET: async (_: Request, { id }: { id: string }) => {
            deferTask(() => {
              spanBelow(`deferred ${id}`);
              if (id === 'b') ended.resolve();
            });
            runTask(() => spanBelow(`task ${id}`));
            await Promise.resolve();
            spanBelow(`route ${id}`);
            return new Response('ok');
          },
        },
      },
    };
    await Promise.all([ask(tasks, '/a'), ask(tasks, '/b')]);
    await ended.promise;
    const parents = new Map(
      spansBy(SpanKind.SERVER).map((span) => [span.spanContext().spanId, span.attributes['url.path']]),
    );
    const below = spansBy(SpanKind.INTERNAL).map((span) => [
      span.name,
      parents.get(span.parentSpanContext?.spanId ?? ''),
    ]);
    expect(below.toSorted()).toEqual([
      ['deferred a', '/a'],
      ['deferred b', '/b'],
      ['middleware', '/a'],
      ['middleware', '/b'],
      ['route a', '/a'],
      ['route b', '/b'],
      ['task a', '/a'],
      ['task b', '/b'],
    ]);
  });

  it('records errors, refusals and unknown methods', async () => {
    const reported: unknown[] = [];
    await ask(app, '/error', { reported });
    await ask(app, '/none');
    await ask(app, '/%zz');
    await ask(app, '/users/7', { method: 'BREW' });
    expect(reported).toEqual([new RangeError('db')]);
    const told = spansBy(SpanKind.SERVER).map(({ name, attributes, status, events }) => [
      name,
      attributes['http.request.method'],
      attributes['http.response.status_code'],
      attributes['error.type'],
      status.code,
      events.map((event) => event.attributes?.['exception.message']),
    ]);
    expect(told).toEqual([
      ['GET /error', 'GET', 500, 'RangeError', SpanStatusCode.ERROR, ['db']],
      ['GET', 'GET', 404, undefined, SpanStatusCode.UNSET, []],
      ['GET', 'GET', 400, undefined, SpanStatusCode.UNSET, []],
      ['HTTP /users/[id]', '_OTHER', 405, undefined, SpanStatusCode.UNSET, []],
    ]);
  });

  it('reads headers without making the answer personal', async () => {
    const kept: App = {
      usesCache: true,
      routes: {
        '/': {
          GET: () => {
            cache({ maxAge: 60 });
            return new Response('for all');
          },
        },
      },
    };
    const answer = await ask(kept, '/', { headers: { traceparent: 'none', 'user-agent': 'tester' } });
    expect(answer.headers.get('cache-control')).toContain('public');
  });
});

describe('instrumentation', () => {
  it('runs around every answer, or those that its matcher fits, whatever paths arrive', async () => {
    const askAll = async (config: object): Promise<unknown> => {
      const seen: string[] = [];
      const instrumentation = { default: ({ url }: Request) => void seen.push(new URL(url).pathname), config };
      const handler = handlerOf({ base: '/shop', routes: { '/a': { GET: () => new Response('a') } }, instrumentation });
      const statuses: number[] = [];
      for (const path of ['/shop/a', '/shop/b', '/shop/%zz', '/other']) {
        statuses.push((await handler(new Request(`http://app.test${path}`))).status);
      }
      expect(statuses).toEqual([200, 404, 400, 404]);
      return seen;
    };
    expect(await askAll({})).toEqual(['/shop/a', '/shop/b', '/shop/%zz', '/other']);
    expect(await askAll({ matcher: { patterns: ['/a'] } })).toEqual(['/shop/a']);
  });

  it('makes an answer personal by its own reads', async () => {
    const app: App = {
      usesCache: true,
      instrumentation: { default: ({ headers }: Request) => void headers.get('cookie') },
      routes: {
        '/': {
          GET: () => {
            cache({ maxAge: 60 });
            return new Response('for one');
          },
        },
      },
    };
    const answer = await handlerOf(app)(new Request('http://app.test/', { headers: { cookie: 'user=alice' } }));
    expect(answer.headers.get('cache-control')).toBe('private, no-cache');
  });

  const GET = (): Response => new Response('route');

  it('is loaded before everything else, and does not need any exports', async () => {
    const order: string[] = [];
    const app: App = {
      routes: { '/': { GET: () => new Response(order.join()) } },
      middleware: { default: () => void order.push('middleware') },
    };
    const instrumentation = (): object => {
      order.push('instrumentation');
      return {};
    };
    const handler = handlerOf({ ...app, instrumentation });
    for (let times = 0; times < 2; times++) {
      const answer = await handler(new Request('http://app.test/'));
      expect(await answer.text()).toBe(['instrumentation', ...Array(times + 1).fill('middleware')].join());
    }
  });

  it('answers 500, and retries, while it cannot be loaded', async () => {
    let isBroken = true;
    const instrumentation = (): object => {
      if (isBroken) throw new Error('no collector');
      return {};
    };
    const reported: unknown[] = [];
    const handler = handlerOf(
      { routes: { '/': { GET } }, instrumentation },
      { onError: (error) => void reported.push(error) },
    );
    expect((await handler(new Request('http://app.test/'))).status).toBe(500);
    isBroken = false;
    expect((await handler(new Request('http://app.test/'))).status).toBe(200);
    expect(reported).toEqual([new Error('no collector')]);
  });
});

describe('a job', () => {
  it('is a span of the trace that enqueued it, with its error', async () => {
    const job = defineJob({
      run() {
        spanBelow('query');
        throw new RangeError('no mail today');
      },
    });
    job['~job'].name = 'mail';
    const stored: JobEnvelope[] = [];
    const enqueueing = async (envelope: JobEnvelope): Promise<Enqueued> => {
      stored.push(envelope);
      return { id: envelope.id, duplicate: false };
    };
    const app = {
      instrumentation: { default: traceRequests() },
      routes: { '/send': { GET: () => enqueue(job).then(Response.json) } },
    };
    await handlerOf(app)(new Request('https://app.test/send'), { enqueue: enqueueing });
    const [envelope] = stored as [JobEnvelope];
    const build = {
      manifest: { version: 6, routes: [], jobs: [{ name: 'mail', file: 'mail.js' }] },
      modules: { 'mail.js': () => ({ default: job }) },
    };
    const runner = createJobRunner({ build, onError: () => {} }, { enqueue: enqueueing, waitUntil: () => {} });
    await runner.runMessage({ ...envelope, attempt: 1 }, new AbortController().signal);

    const [server] = spansBy(SpanKind.SERVER);
    const [run] = spansBy(SpanKind.CONSUMER);
    expect(run).toMatchObject({
      name: 'process mail',
      status: { code: SpanStatusCode.ERROR },
      events: [{ name: 'exception', attributes: { 'exception.message': 'no mail today' } }],
    });
    expect(run?.attributes).toEqual({
      'messaging.system': 'appkit',
      'messaging.operation.type': 'process',
      'messaging.operation.name': 'process',
      'messaging.destination.name': 'mail',
      'messaging.message.id': envelope.id,
      'appkit.job.attempt': 1,
      'error.type': 'RangeError',
    });
    expect(run?.parentSpanContext?.spanId).toBe(server?.spanContext().spanId);
    const query = exporter.getFinishedSpans().find(({ name }) => name === 'query');
    expect(query?.parentSpanContext?.spanId).toBe(run?.spanContext().spanId);
  });
});

it('a job that throws no Error has a span without an exception', async () => {
  traceRequests();
  const job = defineJob({ run: () => Promise.reject('no mail today' as never) });
  const build = {
    manifest: { version: 6, routes: [], jobs: [{ name: 'mail', file: 'mail.js' }] },
    modules: { 'mail.js': () => ({ default: job }) },
  };
  const host = { enqueue: () => expect.fail(), waitUntil: () => {} };
  const message: JobEnvelope = { v: 1, id: '1', job: 'mail', runAt: 0, attempt: 1 };
  await createJobRunner({ build, onError: () => {} }, host).runMessage(message, new AbortController().signal);
  const [span] = spansBy(SpanKind.CONSUMER);
  expect([span?.attributes['error.type'], span?.events]).toEqual(['_OTHER', []]);
});

describe('a failed answer', () => {
  /** What the span says about the failure of a route. */
  async function toldOf(GET: () => unknown, signal?: AbortSignal): Promise<unknown> {
    exporter.reset();
    await ask({ routes: { '/': { GET } } }, '/', signal ? { signal } : {});
    const [span] = spansBy(SpanKind.SERVER);
    return [span?.status.code, span?.attributes['error.type'], span?.events.length];
  }

  it('is named by its error, or by its status if there is none', async () => {
    const { ERROR } = SpanStatusCode;
    expect(await toldOf(() => Promise.reject(new RangeError('db')))).toEqual([ERROR, 'RangeError', 1]);
    expect(await toldOf(() => Promise.reject('db' as never))).toEqual([ERROR, '500', 0]);
    expect(await toldOf(() => new Response('down', { status: 503 }))).toEqual([ERROR, '503', 0]);
  });

  it('is no error if only the client has left', async () => {
    const left = AbortSignal.abort();
    const { ERROR, UNSET } = SpanStatusCode;
    expect(await toldOf(() => Promise.reject(left.reason as Error), left)).toEqual([UNSET, undefined, 0]);
    expect(await toldOf(() => Promise.reject(new RangeError('db')), left)).toEqual([ERROR, 'RangeError', 1]);
  });
});

it('offers the names of all headers to a propagator', async () => {
  let seen: string[] = [];
  propagation.disable();
  propagation.setGlobalPropagator({
    inject: () => {},
    extract(active, carrier, getter) {
      seen = getter.keys(carrier);
      return active;
    },
    fields: () => [],
  });
  await ask({}, '/', { headers: { 'uberctx-user': 'ada', 'x-b3': '1' } });
  propagation.disable();
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  expect(seen).toEqual(['uberctx-user', 'x-b3']);
});

it('says that it was called outside a request', () => {
  const call = (): unknown => traceRequests()(new Request('http://app.test/'), () => expect.fail());
  expect(call).toThrow('traceRequests() was called outside a request');
});

describe('a server span', () => {
  /** The span of a request to an app that has no route. */
  async function spanOf(method: string, url: string, headers: Record<string, string> = {}): Promise<ReadableSpan> {
    exporter.reset();
    const handler = handlerOf({ instrumentation: { default: traceRequests() } });
    const response = await handler(createRequest(url, { method, headers, duplex: 'half' }));
    expect(response.headers.has('server-timing')).toBe(false);
    return spansBy(SpanKind.SERVER)[0] as ReadableSpan;
  }

  it.each(['CONNECT', 'DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT', 'QUERY', 'TRACE'])(
    'has the method %s in its name and attributes',
    async (method) => {
      const { name, attributes } = await spanOf(method, 'http://app.test/');
      expect([name, attributes['http.request.method']]).toEqual([method, method]);
    },
  );

  it('has the port that the URL names, and the user agent that was sent', async () => {
    const named = await spanOf('GET', 'http://app.test:8081/', { 'user-agent': 'curl' });
    expect(named.attributes).toMatchObject({ 'server.port': 8081, 'user_agent.original': 'curl' });
    expect(named.instrumentationScope.name).toBe('appkit-server');
    const { attributes } = await spanOf('GET', 'http://app.test/');
    expect(['server.port', 'user_agent.original'].map((name) => name in attributes)).toEqual([false, false]);
  });
});

it('Server-Timing has the milliseconds that the answer took', async () => {
  const before = performance.now();
  const { headers } = await ask({ routes: {} }, '/');
  const duration = Number(/^app;dur=([\d.]+)$/.exec(headers.get('server-timing') ?? '')?.[1]);
  expect(duration).toBeLessThanOrEqual(performance.now() - before + 0.1);
});
