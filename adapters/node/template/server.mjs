import { createServer } from 'node:http';
import { join } from 'node:path';
import { createRequestHandler } from 'appkit-server/adapter/node';
import serveStatic from 'serve-static';

const handler = createRequestHandler({ build: join(import.meta.dirname, 'dist/server') });

const serveFile = serveStatic(join(import.meta.dirname, 'dist/client'), { dotfiles: 'allow', extensions: ['html'] });

// A file of dist/client first, then the routes. Behind a CDN or a web server that has the files, the handler is enough.
const server = createServer((request, response) => {
  serveFile(request, response, (error) => (error ? refuse(response, error) : handler(request, response)));
});

// The file is there and cannot be sent as it was asked for, such as a range past its end: no route is asked instead.
function refuse(response, { status, headers }) {
  if (response.headersSent) return response.destroy();
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  response.writeHead(status, headers).end();
}

server.listen(Number(process.env.PORT ?? 3000), process.env.HOST, () => {
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
