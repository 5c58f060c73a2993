import { join } from 'node:path';
import { createRequestHandler } from 'appkit-server/adapter/express';
import express from 'express';

const handler = createRequestHandler({ build: join(import.meta.dirname, 'dist/server') });

const app = express();
app.disable('x-powered-by');
app.use(express.static(join(import.meta.dirname, 'dist/client')));
app.use(handler);

const server = app.listen(Number(process.env.PORT ?? 3000), process.env.HOST, () => {
  const { address, family, port } = server.address();
  console.log(`Listening on http://${family === 'IPv6' ? `[${address}]` : address}:${port}`);
});

process.once('SIGTERM', () => {
  // Requests and tasks under way are finished; connections kept alive for further requests are not waited for.
  server.keepAliveTimeout = 1;
  server.close(() => handler.drain());
  setTimeout(() => process.exit(1), 10_000).unref();
});
