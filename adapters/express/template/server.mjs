import { join } from 'node:path';
import { createRequestHandler } from 'appkit-server/adapter/express';
import express from 'express';

const handler = createRequestHandler({ build: join(import.meta.dirname, 'dist/server') });

const app = express();
app.disable('x-powered-by');
app.use(express.static(join(import.meta.dirname, 'dist/client'), { dotfiles: 'allow', extensions: ['html'] }));
app.use(handler);

const server = app.listen(Number(process.env.PORT ?? 3000), process.env.HOST, (error) => {
  if (error) throw error;
  const { address, family, port } = server.address();
  console.log(`Listening on http://${family === 'IPv6' ? `[${address}]` : address}:${port}`);
});

const running = new Set();
server.on('request', (_, response) => {
  running.add(response);
  response.once('close', () => running.delete(response));
});

process.once('SIGTERM', async () => {
  setTimeout(() => process.exit(1), 10_000);
  server.close();
  // Files, requests and tasks under way are finished. Timers and open connections of the app would keep the process for ever.
  await Promise.all([...running].map((response) => new Promise((resolve) => response.once('close', resolve))));
  await handler.drain();
  process.exit();
});
