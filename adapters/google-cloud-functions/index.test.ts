import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import * as framework from '@google-cloud/functions-framework';
import { getTestServer } from '@google-cloud/functions-framework/testing';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { defineJob, enqueue } from '../../runtime/jobs.ts';
import { deferTask } from '../../runtime/helpers.ts';
import type { JobEngine } from '../../runtime/host.ts';
import type { ServerBuild } from '../../runtime/manifest.ts';
import { createPostgresJobs } from '../_postgres/index.ts';
import { createRequestHandler } from './index.ts';
import type { FunctionsOptions } from './index.ts';

type Route = (request: Request) => unknown;

/** Starts the framework with an app of one route, and returns the URL of the route. */
async function serve(route: Route, options: Partial<FunctionsOptions> = {}): Promise<string> {
  const build: ServerBuild = {
    manifest: { version: 1, routes: [{ pattern: '/x', file: 'x.js', methods: [] }] },
    modules: { 'x.js': () => ({ GET: route, HEAD: route, POST: route }) },
  };
  framework.http('app', createRequestHandler({ build, ...options }));
  const server = getTestServer('app');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/x`;
}

describe('behind the front end of Google', () => {
  const urlOf: Route = ({ url }) => new Response(url);

  it.each([
    ['https', 'https:'],
    ['http', 'http:'],
    ['http, https', 'https:'],
    ['https, http', 'http:'],
    ['nohttps', 'http:'],
  ])('reads the scheme from X-Forwarded-Proto: %s', async (said, scheme) => {
    const url = await serve(urlOf);
    const headers = { 'x-forwarded-proto': said, 'x-forwarded-host': 'evil.test' };
    expect(await (await fetch(url, { headers })).text()).toBe(url.replace('http:', scheme));
  });

  it('reads the host from a trusted proxy in front of it', async () => {
    const url = await serve(urlOf, { trustProxy: true });
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.test, shop.test' };
    expect(await (await fetch(url, { headers })).text()).toBe('https://shop.test/x');
  });
});

describe('a body that the framework has read', () => {
  const textOf: Route = async (request) => new Response(await request.text());

  it.each([
    ['application/json', '{ "a": 1.0,\n "a": 2 }'],
    ['application/x-www-form-urlencoded', 'a[]=1&a[]=2&b=x+y'],
    ['multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n'],
  ])('has the bytes that were sent as %s', async (type, body) => {
    const response = await fetch(await serve(textOf), { method: 'POST', headers: { 'content-type': type }, body });
    expect(await response.text()).toBe(body);
  });

  it('is as the framework has decompressed it, and so are its headers', async () => {
    const url = await serve(async (request) => {
      const { headers } = request;
      return Response.json([await request.text(), headers.get('content-encoding'), headers.get('content-length')]);
    });
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    const response = await fetch(url, { method: 'POST', headers, body: gzipSync('{"a":1}') });
    expect(await response.json()).toEqual(['{"a":1}', null, '7']);
  });

  it.each([
    [4, 200],
    [3, 413],
  ])('may have %i bytes decompressed, or reading it fails with 413', async (maxRequestBodySize, status) => {
    const url = await serve(textOf, { maxRequestBodySize: 1000 * maxRequestBodySize });
    const headers = { 'content-type': 'text/plain', 'content-encoding': 'gzip' };
    const response = await fetch(url, { method: 'POST', headers, body: gzipSync('x'.repeat(4000)) });
    expect(response.status).toBe(status);
  });
});

describe('a task', () => {
  it.each(['GET', 'HEAD'])('is over before the answer to %s is sent', async (method) => {
    const task = Promise.withResolvers<void>();
    const url = await serve(() => {
      deferTask(() => task.promise);
      return new Response('done');
    });
    let isAnswered = false;
    const answer = fetch(url, { method }).then((response) => ((isAnswered = true), response.text()));
    await (await fetch(url.replace('/x', '/missing'))).text();
    expect(isAnswered).toBe(false);
    task.resolve();
    expect(await answer).toBe(method === 'GET' ? 'done' : '');
  });

  it('is over before the end of a stream, whose parts are sent before', async () => {
    const task = Promise.withResolvers<void>();
    const url = await serve(() => {
      deferTask(() => task.promise);
      const parts = ['first', 'last'].map((part) => new TextEncoder().encode(part));
      return new Response(ReadableStream.from(parts));
    });
    const reader = (await fetch(url)).body?.getReader();
    let text = '';
    while (text !== 'firstlast') text += Buffer.from((await reader?.read())?.value ?? []).toString();
    let isEnded = false;
    const end = reader?.read().then(({ done }) => (isEnded = done));
    await (await fetch(url.replace('/x', '/missing'))).text();
    expect(isEnded).toBe(false);
    task.resolve();
    expect(await end).toBe(true);
  });

  it('does not hide that a stream is shorter than its length says', async () => {
    const onError = vi.fn();
    const headers = { 'content-length': '10' };
    const url = await serve(
      () => {
        deferTask(() => undefined);
        return new Response(ReadableStream.from([Buffer.from('first'), Buffer.from('last')]), { headers });
      },
      { onError },
    );
    await expect(fetch(url).then((response) => response.text())).rejects.toThrow(TypeError);
    expect(onError).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ code: 'ERR_HTTP_CONTENT_LENGTH_MISMATCH' }),
      expect.any(Request),
    );
  });

  it('goes on when the client leaves, and nothing fails', async () => {
    const [begun, task] = [Promise.withResolvers<AbortSignal>(), Promise.withResolvers<void>()];
    const url = await serve((request) => {
      deferTask(() => (begun.resolve(request.signal), task.promise));
      return new Response('done');
    });
    const request = http.get(url).on('error', () => undefined);
    const signal = await begun.promise;
    request.destroy();
    if (!signal.aborted) await once(signal, 'abort');
    task.resolve();
    expect((await fetch(url.replace('/x', '/missing'))).status).toBe(404);
  });
});

describe('jobs', () => {
  const job = defineJob({ run: () => {} });
  Object.assign(job['~job'], { name: 'mail' });
  const build: ServerBuild = {
    manifest: {
      version: 6,
      routes: [{ pattern: '/x', file: 'x.js', methods: ['POST'] }],
      jobs: [{ name: 'mail', file: 'mail.js' }],
    },
    modules: {
      'x.js': () => ({ POST: async () => Response.json(await enqueue(job, { to: 'a' })) }),
      'mail.js': () => ({ default: job }),
    },
  };

  it('are stored by an engine that only stores', async () => {
    const stored: unknown[] = [];
    const jobs: JobEngine = {
      connect: () => ({
        async enqueue(envelope) {
          stored.push(envelope);
          return { id: envelope.id, duplicate: false };
        },
        drain: async () => {},
      }),
    };
    const url = await serve(() => new Response(), { build, jobs });
    expect(await (await fetch(url, { method: 'POST' })).json()).toMatchObject({ duplicate: false });
    expect(stored).toMatchObject([{ job: 'mail', input: { to: 'a' } }]);
  });

  it('are refused by an engine that would run them', () => {
    const jobs = createPostgresJobs({ connectionString: 'postgres://nobody@localhost/none' });
    expect(() => createRequestHandler({ build, jobs })).toThrow(
      'runs jobs in this process: Google Cloud Functions stops a process when it has answered.',
    );
  });
});
