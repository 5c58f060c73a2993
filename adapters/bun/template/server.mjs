import path from 'node:path';
import { createRequestHandler } from 'appkit-server/adapter/bun';
import { stopOnSignal } from 'appkit-server/shutdown';
import { createStaticFiles } from 'appkit-server/static';

const handler = createRequestHandler({ build: path.join(import.meta.dirname, 'dist/server') });
const files = createStaticFiles(path.join(import.meta.dirname, 'dist/client'));

const server = Bun.serve({
  // Otherwise Bun answers its own errors with a page that shows paths, unless NODE_ENV is production.
  development: false,
  port: Number(process.env.PORT || 3000),
  hostname: process.env.HOST,
  // In seconds. Bun's default of 10 would break off slow answers and streams that are quiet for a while.
  idleTimeout: 255,
  // A file of dist/client first, then the routes. Behind a CDN or a web server that has the files, the handler is enough.
  fetch: (request, server) => files.fetch(request) ?? handler(request, server),
});
console.log(`Listening on ${server.url.origin}`);
stopOnSignal(server, handler);
