import { join } from 'node:path';
import { createRequestHandler } from 'appkit-server/adapter/bun';

const handler = createRequestHandler({ build: join(import.meta.dirname, 'dist/server') });

// The files of dist/client by their URL path. Listed once, so no path of a request ever reaches the file system.
const client = join(import.meta.dirname, 'dist/client');
const files = new Map();
for (const path of new Bun.Glob('**/*').scanSync({ cwd: client, dot: true })) {
  const own = `/${path}`;
  // about.html is /about as well, and docs/index.html is /docs/.
  for (const name of [own, own.replace(/(?<=\/)index\.html$/, ''), own.replace(/\.html$/, '')]) {
    files.set(name, Bun.file(join(client, path)));
  }
}

const server = Bun.serve({
  port: Number(process.env.PORT ?? 3000),
  hostname: process.env.HOST,
  // In seconds. Bun's default of 10 would break off slow answers and streams that are quiet for a while.
  idleTimeout: 255,
  fetch(request, server) {
    const file = request.method === 'GET' || request.method === 'HEAD' ? files.get(pathOf(request.url)) : undefined;
    return file ? new Response(file) : handler(request, server);
  },
});
console.log(`Listening on http://${server.hostname}:${server.port}`);

function pathOf(url) {
  try {
    return decodeURIComponent(new URL(url).pathname);
  } catch {
    // A malformed Host or path is that of no file; the handler answers it with 400.
    return undefined;
  }
}

process.once('SIGTERM', async () => {
  setTimeout(() => process.exit(1), 10_000);
  // Requests under way are finished, then tasks. Timers of the app would keep the process for ever.
  await server.stop();
  await handler.drain();
  process.exit();
});
