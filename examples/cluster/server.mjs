import { createServer } from 'node:http';
import path from 'node:path';
import { createRequestHandler } from 'appkit-server/adapter/node';
import { redisStore } from 'appkit-server/cache/redis';
import { stopOnSignal } from 'appkit-server/shutdown';
import { createStaticFiles } from 'appkit-server/static';
import { Redis } from 'ioredis';

const redis = new Redis(process.env.REDIS_URL ?? 'redis://127.0.0.1:6379');
// Each failed attempt to connect is an event, which would end the process without a listener. onError is called once.
redis.on('error', () => {});

const handler = createRequestHandler({
  build: path.join(import.meta.dirname, 'dist/server'),
  // How long Redis may take, in milliseconds, before an instance answers without it.
  cache: { store: redisStore(redis, { prefix: 'cluster', timeoutMs: Number(process.env.REDIS_TIMEOUT_MS ?? 200) }) },
  // HAProxy is in front, and reports the host and scheme of the request.
  trustProxy: 1,
  onError: (error) => console.error(`onError: ${error instanceof Error ? error.message : error}`),
});
const files = createStaticFiles(path.join(import.meta.dirname, 'dist/client'));
const server = createServer((request, response) => files(request, response, () => handler(request, response)));
// Longer than HAProxy keeps a quiet connection, in milliseconds.
server.keepAliveTimeout = 65_000;

server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${server.address().port}`);
});
stopOnSignal(server, handler);
