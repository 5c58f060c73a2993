import path from 'node:path';
import { createRequestHandler } from 'appkit-server/adapter/express';
import { createSqliteJobs } from 'appkit-server/jobs/sqlite';
import { stopOnSignal } from 'appkit-server/shutdown';
import { createStaticFiles } from 'appkit-server/static';
import express from 'express';

// One server for every way to use the handler: APPKIT_MOUNT mounts it under a path, APPKIT_PARSERS puts Express's body
// parsers in front of it, APPKIT_OPTIONS passes options to it.
const { APPKIT_MOUNT, APPKIT_PARSERS, APPKIT_OPTIONS, APPKIT_ON_ERROR, APPKIT_JOBS, PORT, HOST } = process.env;

const handler = createRequestHandler({
  build: path.join(import.meta.dirname, 'dist/server'),
  ...(APPKIT_OPTIONS && {
    ...JSON.parse(APPKIT_OPTIONS),
    jobs: APPKIT_JOBS ? createSqliteJobs() : undefined,
    onError(error, request) {
      console.log(`onError: ${request.method} ${request.url}: ${error?.message}`);
      if (APPKIT_ON_ERROR === 'throw') throw new Error('onError threw');
      if (APPKIT_ON_ERROR === 'answer') return Response.json({ told: error.message }, { status: 503 });
    },
  }),
});

const app = express();
app.disable('x-powered-by');
if (APPKIT_PARSERS) {
  const limit = '20mb';
  app.use(express.json({ limit }), express.urlencoded({ limit }), express.text({ limit }), express.raw({ limit }));
}
app.use(APPKIT_MOUNT ?? '/', createStaticFiles(path.join(import.meta.dirname, 'dist/client')));
app.use(APPKIT_MOUNT ?? '/', handler);

const server = app.listen(Number(PORT), HOST, () => {
  console.log(`Listening on http://${server.address().address}:${server.address().port}`);
});
stopOnSignal(server, handler);
