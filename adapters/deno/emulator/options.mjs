import path from 'node:path';
import { createRequestHandler } from 'appkit-server/adapter/deno';
import { createSqliteJobs } from 'appkit-server/jobs/sqlite';

const handler = createRequestHandler({
  build: path.join(import.meta.dirname, 'dist/server'),
  ...JSON.parse(Deno.env.get('APPKIT_OPTIONS')),
  jobs: Deno.env.get('APPKIT_JOBS') ? createSqliteJobs() : undefined,
  onError(error, request) {
    console.log(`onError: ${request.method} ${request.url}: ${error?.message}`);
    if (Deno.env.get('APPKIT_ON_ERROR') === 'throw') throw new Error('onError threw');
    if (Deno.env.get('APPKIT_ON_ERROR') === 'answer') return Response.json({ told: error.message }, { status: 503 });
  },
});

const server = Deno.serve(
  {
    port: Number(Deno.env.get('PORT')),
    hostname: Deno.env.get('HOST'),
    onListen: ({ hostname, port }) => console.log(`Listening on http://${hostname}:${port}`),
  },
  (request, info) => handler(request, info),
);
Deno.addSignalListener('SIGTERM', async () => {
  await server.shutdown();
  await handler.drain();
  Deno.exit(0);
});
