import { join } from 'node:path';
import { createRequestHandler } from 'appkit-server/adapter/deno';
import { createFileServer } from './static-files.mjs';

const handler = createRequestHandler({ build: join(import.meta.dirname, 'dist/server') });
const serveFile = await createFileServer(join(import.meta.dirname, 'dist/client'));

// A file of dist/client first, then the routes. Behind a CDN or a web server that has the files, the handler is enough.
const server = Deno.serve(
  {
    port: Number(Deno.env.get('PORT') ?? 3000),
    hostname: Deno.env.get('HOST') ?? '0.0.0.0',
    onListen: ({ hostname, port }) => console.log(`Listening on http://${hostname}:${port}`),
  },
  (request, info) => serveFile(request) ?? handler(request, info),
);

Deno.addSignalListener('SIGTERM', async () => {
  setTimeout(() => Deno.exit(1), 10_000);
  // Requests and tasks under way are finished.
  await server.shutdown();
  await handler.drain();
  Deno.exit(0);
});
