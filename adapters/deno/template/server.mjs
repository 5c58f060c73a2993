import path from 'node:path';
import { createRequestHandler } from 'appkit-server/adapter/deno';
import { stopOnSignal } from 'appkit-server/shutdown';
import { createStaticFiles } from 'appkit-server/static';

const handler = createRequestHandler({ build: path.join(import.meta.dirname, 'dist/server') });
const files = createStaticFiles(path.join(import.meta.dirname, 'dist/client'));

const server = Deno.serve(
  {
    port: Number(Deno.env.get('PORT') || 3000),
    hostname: Deno.env.get('HOST') || '0.0.0.0',
    onListen: ({ hostname, port }) =>
      console.log(`Listening on http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`),
  },
  // A file of dist/client first, then the routes. Behind a CDN or a web server that has the files, the handler is enough.
  (request, info) => files.fetch(request) ?? handler(request, info),
);
stopOnSignal(server, handler);
