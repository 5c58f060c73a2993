import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { metrics } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { ServerBuild } from '../../runtime/manifest.ts';
import { createRequestHandler } from './index.ts';
import type { ServerOptions } from './index.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Imports an example from the operations guide, exactly as printed there. */
async function importExample(name: string): Promise<Record<string, unknown>> {
  const page = await readFile(path.join(root, 'docs/guide/operations.md'), 'utf8');
  const code = page.split('```ts\n').find((part) => part.startsWith(`// ${name}\n`));
  // Within the repository, where the packages are.
  await mkdir(path.join(root, '.cache'), { recursive: true });
  const folder = await mkdtemp(path.join(root, '.cache/recipe-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(path.join(folder, name), code?.split('```')[0] ?? '');
  return (await import(path.join(folder, name))) as Record<string, unknown>;
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

/** Sends requests to a server with these hooks. */
async function visit(hooks: unknown): Promise<void> {
  const server = createServer(createRequestHandler({ build, ...(hooks as Partial<ServerOptions>) }));
  onTestFinished(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const target of ['/users/7?token=secret', '/broken', '/nowhere']) await (await fetch(url + target)).text();
}

it("logs one line of JSON for each request, with the guide's recipe", async () => {
  const { logged, logger } = await importExample('logs.ts');
  const lines: Record<string, unknown>[] = [];
  const stream = (logger as Record<symbol, { write(line: string): void }>)[streamOf(logger as object)];
  if (!stream) throw new Error('The logger has no stream.');
  vi.spyOn(stream, 'write').mockImplementation((line) => void lines.push(JSON.parse(line)));
  await visit(logged);
  expect(lines).toMatchObject([
    { msg: 'answered', method: 'GET', path: '/users/7', route: '/users/[id]', status: 201 },
    { msg: 'failed', path: '/broken', err: { type: 'RangeError', message: 'too far' } },
    { msg: 'answered', path: '/broken', status: 500 },
    { msg: 'answered', path: '/nowhere', status: 404 },
  ]);
  expect(JSON.stringify(lines)).not.toContain('secret');
});

function streamOf(logger: object): symbol {
  const symbols = [logger, Object.getPrototypeOf(logger)].flatMap((one) => Object.getOwnPropertySymbols(one));
  return symbols.find(({ description }) => description === 'pino.stream') ?? Symbol();
}

it("measures requests with the histogram of the conventions, with the guide's recipe", async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const provider = new MeterProvider({ readers: [reader] });
  metrics.setGlobalMeterProvider(provider);
  onTestFinished(() => metrics.disable());
  onTestFinished(() => provider.shutdown());
  await visit((await importExample('metrics.ts'))['measured']);
  await reader.forceFlush();
  const [measured] = exporter
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  expect(measured?.descriptor).toMatchObject({ name: 'http.server.request.duration', unit: 's' });
  expect(measured?.dataPoints.map(({ attributes }) => attributes)).toEqual([
    expect.objectContaining({ 'http.route': '/users/[id]', 'http.response.status_code': 201 }),
    expect.objectContaining({ 'http.route': '/broken', 'http.response.status_code': 500 }),
    expect.not.objectContaining({ 'http.route': expect.anything() }),
  ]);
});
