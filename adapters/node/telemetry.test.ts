import { readFile, writeFile, mkdtemp, mkdir, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { trace } from '@opentelemetry/api';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { ServerBuild } from '../../runtime/manifest.ts';
import { createRequestHandler } from './index.ts';
import type { ServerOptions } from './index.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** The recipe of the guide, as it stands there. */
async function recipe(): Promise<Pick<ServerOptions, 'onError' | 'onResponse'>> {
  const page = await readFile(path.join(root, 'docs/guide/operations.md'), 'utf8');
  const [, code] = /^```ts\n(\/\/ telemetry\.ts\n[\s\S]*?)^```$/m.exec(page) ?? [];
  // Within the repository, where the packages are.
  await mkdir(path.join(root, '.cache'), { recursive: true });
  const folder = await mkdtemp(path.join(root, '.cache/telemetry-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(path.join(folder, 'telemetry.ts'), code ?? '');
  const { telemetry } = (await import(path.join(folder, 'telemetry.ts'))) as {
    telemetry: Pick<ServerOptions, 'onError' | 'onResponse'>;
  };
  return telemetry;
}

const build: ServerBuild = {
  manifest: {
    version: 1,
    routes: [
      { pattern: '/users/[id]', file: 'user', methods: ['GET'] },
      { pattern: '/broken', file: 'broken', methods: ['GET'] },
    ],
  },
  modules: {
    user: () => ({ GET: () => new Response('user', { status: 201 }) }),
    broken: () => ({
      GET: () => {
        throw new RangeError('too far');
      },
    }),
  },
};

it('gives OpenTelemetry one span for each request, by its conventions for servers', async () => {
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
  onTestFinished(() => trace.disable());
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {});
  onTestFinished(() => logged.mockRestore());
  const server = createServer(createRequestHandler({ build, ...(await recipe()) })).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const target of ['/users/7?token=secret', '/broken', '/nowhere']) await (await fetch(url + target)).text();

  const spans = exporter.getFinishedSpans();
  expect(spans.map(({ name, kind, attributes, status }) => [name, kind, attributes, status.code])).toEqual([
    [
      'GET /users/[id]',
      1,
      expect.objectContaining({
        'http.request.method': 'GET',
        'http.route': '/users/[id]',
        'http.response.status_code': 201,
        'url.path': '/users/7',
      }),
      0,
    ],
    ['GET /broken', 1, expect.objectContaining({ 'http.response.status_code': 500 }), 2],
    ['GET', 1, expect.not.objectContaining({ 'http.route': expect.anything() }), 0],
  ]);
  expect(spans[1]?.events.map(({ name, attributes }) => [name, attributes?.['exception.message']])).toEqual([
    ['exception', 'too far'],
  ]);
  expect(JSON.stringify(spans.map(({ attributes }) => attributes))).not.toContain('secret');
  expect(spans[0]?.duration[0]).toBe(0);
});
