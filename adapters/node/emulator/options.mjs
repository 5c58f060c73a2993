import { createServer } from 'node:http';
import path from 'node:path';
import { createRequestHandler } from 'appkit-server/adapter/node';
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

const server = createServer(handler);
server.listen(Number(process.env.PORT), process.env.HOST, () => {
  console.log(`Listening on http://${server.address().address}:${server.address().port}`);
});
process.once('SIGTERM', () => {
  server.close(() => handler.drain());
  server.closeAllConnections();
});
