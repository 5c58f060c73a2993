import path from 'node:path';
import { createRequestHandler } from 'appkit-server/adapter/bun';
import { createSqliteJobs } from 'appkit-server/jobs/sqlite';

const handler = createRequestHandler({
  build: path.join(import.meta.dirname, 'dist/server'),
  ...JSON.parse(process.env.APPKIT_OPTIONS),
  jobs: process.env.APPKIT_JOBS ? createSqliteJobs() : undefined,
  onError(error, request) {
    console.log(`onError: ${request.method} ${request.url}: ${error?.message}`);
    if (process.env.APPKIT_ON_ERROR === 'throw') throw new Error('onError threw');
    if (process.env.APPKIT_ON_ERROR === 'answer') return Response.json({ told: error.message }, { status: 503 });
  },
});

const server = Bun.serve({
  port: Number(process.env.PORT),
  hostname: process.env.HOST,
  fetch: (request, server) => handler(request, server),
});
console.log(`Listening on http://${server.hostname}:${server.port}`);
process.once('SIGTERM', async () => {
  await server.stop(true);
  await handler.drain();
});
