import type { Emulator } from '../../conformance/emulator.ts';

const node: Omit<Emulator, 'name' | 'title'> = {
  template: 'node',
  dependencies: {},
  files: ['emulator'],
  command: ['node', 'server.mjs'],
  commandWithOptions: ['node', 'options.mjs'],
  tool: { command: ['node', '--version'], expected: /^v\d+/ },
  ready: /Listening on (http:\/\/\S+)/,
  gaps: [],
};

const { commandWithOptions: _, ...started } = node;
const mounted = {
  ...started,
  files: ['emulator-mounts'],
  isSecondOpinion: true,
  extras: ['mounted'],
  topics: ['mounted', 'routing', 'middleware', 'cookies', 'request-body', 'response-head', 'streaming', 'static-files'],
} satisfies Partial<Emulator>;

const overTls = {
  ...started,
  files: ['emulator-tls'],
  dependencies: { '@vitejs/plugin-basic-ssl': '2.3.0' },
  isSecondOpinion: true,
} satisfies Partial<Emulator>;

/** Jobs in PostgreSQL, in place of a file. */
const withPostgres = {
  ...started,
  files: ['../_postgres/emulator'],
  dependencies: { 'pg-boss': '12.38.0' },
  command: ['node', 'postgres.mjs'],
  env: { APPKIT_DATABASES: 'postgres-url' },
  tool: { command: ['sh', '-c', 'ls /usr/lib/postgresql/*/bin/postgres'], expected: /postgres/ },
  isSecondOpinion: true,
  topics: ['jobs'],
} satisfies Partial<Emulator>;

/** A server of `node:http`, with an app that uses the light Request and Response and with one that does not, and servers of frameworks on it. */
export const emulators: readonly Emulator[] = [
  {
    ...node,
    name: 'node',
    title: 'Node.js, node:http',
    attack: { kind: 'server', isNodeHttp: true, isSoaked: true },
  },
  { ...node, name: 'node-strict', title: 'Node.js, node:http, app exported with strictFetch', strictFetch: true },
  {
    ...mounted,
    name: 'fastify',
    title: 'Fastify 5.12.8 on Node.js',
    dependencies: { fastify: '5.12.8' },
    command: ['node', 'fastify.mjs'],
    gaps: [
      {
        behaviour: 'answers 400 to malformed percent-encoding in a path',
        fails: /\[ '\/params\/%zz', 400, …\(1\) \]/,
        reason: 'Fastify answers it itself, by 400 too, with JSON.',
        link: 'https://fastify.dev/docs/latest/Reference/Server/#onbadurl',
      },
    ],
  },
  {
    ...mounted,
    name: 'koa',
    title: 'Koa 3.3.0 on Node.js',
    dependencies: { koa: '3.3.0' },
    command: ['node', 'koa.mjs'],
  },
  {
    ...mounted,
    name: 'nest',
    title: 'NestJS 12.5.1 on Node.js',
    dependencies: {
      '@nestjs/common': '12.5.1',
      '@nestjs/core': '12.5.1',
      '@nestjs/platform-express': '12.5.1',
      'reflect-metadata': '0.2.2',
      rxjs: '7.8.2',
    },
    command: ['node', 'nest.mjs'],
  },
  {
    ...withPostgres,
    name: 'node-postgres',
    title: 'Second opinion: Node.js, jobs in PostgreSQL by pg-boss 12.38.0',
  },
  { ...overTls, name: 'node-https', title: 'Second opinion: node:https', command: ['node', 'tls.mjs', 'https'] },
  {
    ...overTls,
    name: 'node-http2',
    title: 'Second opinion: node:http2 over TLS',
    command: ['node', 'tls.mjs', 'http2'],
    topics: [
      'compression',
      'cookies',
      'errors',
      'event-streams',
      'own-fetch',
      'request-body',
      'response-body',
      'response-head',
      'routing',
      'static-files-http',
      'streaming',
    ],
    gaps: [
      {
        behaviour: 'sends the status text of the Response',
        fails: /expected \[ 299, 'unknown' \]/,
        reason: 'HTTP/2 has no status text.',
        link: 'https://www.rfc-editor.org/rfc/rfc9113#section-8.3.2',
      },
      {
        behaviour: 'gives a body that has arrived whole although the client has left',
        fails: /AbortError/,
        reason: 'Node discards what has arrived of a stream that its client has cancelled.',
        link: 'https://nodejs.org/api/http2.html#http2streamclosecode-callback',
      },
    ],
  },
];
