import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

// In a separate process, imported as a program would: from the output of `npm run build`.
const program = `
  import { once } from 'node:events';
  import { createServer } from 'node:http';

  const isNative = {};
  for (const name of ['node', 'express', 'vercel']) {
    const { createRequestHandler } = await import('appkit-server/adapter/' + name);
    const module = { GET: (request) => new Response(String(request.constructor === Request)) };
    const manifest = { version: 1, routes: [{ pattern: '/', file: 'x.js', methods: ['GET'] }], boundFetch: true };
    const server = createServer(createRequestHandler({ build: { manifest, modules: { 'x.js': () => module } } }));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    isNative[name] = await (await fetch('http://127.0.0.1:' + server.address().port)).text();
    server.closeAllConnections();
    server.close();
  }
  console.log(JSON.stringify(isNative));`;

it('every Node adapter of a process gives routes the light Request', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  expect(JSON.parse(stdout)).toEqual({ node: 'false', express: 'false', vercel: 'false' });
});
