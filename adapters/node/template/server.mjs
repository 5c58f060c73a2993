import { createServer } from 'node:http';
import path from 'node:path';
import { createRequestHandler } from 'appkit-server/adapter/node';
import { stopOnSignal } from 'appkit-server/shutdown';
import { createStaticFiles } from 'appkit-server/static';

const handler = createRequestHandler({ build: path.join(import.meta.dirname, 'dist/server') });
const files = createStaticFiles(path.join(import.meta.dirname, 'dist/client'));

// A file of dist/client first, then the routes. Behind a CDN or a web server that has the files, the handler is enough.
const server = createServer((request, response) => files(request, response, () => handler(request, response)));
// In milliseconds. A proxy in front keeps a quiet connection for a minute: Node's default of five seconds would close it while a request is on its way.
server.keepAliveTimeout = 65_000;

server.listen(Number(process.env.PORT || 3000), process.env.HOST, () => {
  const { address, family, port } = server.address();
  console.log(`Listening on http://${family === 'IPv6' ? `[${address}]` : address}:${port}`);
});
stopOnSignal(server, handler);
