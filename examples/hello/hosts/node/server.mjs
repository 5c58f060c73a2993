import { createServer } from 'node:http';
import { join } from 'node:path';
import { createRequestHandler } from 'appkit-server/adapter/node';

const handler = createRequestHandler({ build: join(import.meta.dirname, 'dist/server') });

// Answers routes only. Let a CDN or a web server in front of it serve the files of dist/client.
const server = createServer(handler);

server.listen(Number(process.env.PORT ?? 3000), process.env.HOST, () => {
  const { address, family, port } = server.address();
  console.log(`Listening on http://${family === 'IPv6' ? `[${address}]` : address}:${port}`);
});

process.once('SIGTERM', () => {
  // Requests and tasks under way are finished; connections kept alive for further requests are not waited for.
  server.keepAliveTimeout = 1;
  server.close(() => handler.drain());
  setTimeout(() => process.exit(1), 10_000).unref();
});
