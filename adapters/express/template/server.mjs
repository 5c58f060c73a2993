import path from 'node:path';
import { createRequestHandler } from 'appkit-server/adapter/express';
import { stopOnSignal } from 'appkit-server/shutdown';
import { createStaticFiles } from 'appkit-server/static';
import express from 'express';

const handler = createRequestHandler({ build: path.join(import.meta.dirname, 'dist/server') });

const app = express();
app.disable('x-powered-by');
app.use(createStaticFiles(path.join(import.meta.dirname, 'dist/client')));
app.use(handler);

const server = app.listen(Number(process.env.PORT || 3000), process.env.HOST, (error) => {
  if (error) throw error;
  const { address, family, port } = server.address();
  console.log(`Listening on http://${family === 'IPv6' ? `[${address}]` : address}:${port}`);
});
// In milliseconds. A proxy in front keeps a quiet connection for a minute: Node's default of five seconds would close it while a request is on its way.
server.keepAliveTimeout = 65_000;
stopOnSignal(server, handler);
