import { env } from 'node:process';

/** Starts the output of `vite build` in projects/sveltekit, which listens by itself. */
export async function serve(fetch, port) {
  globalThis[Symbol.for('peers.fetch')] = fetch;
  Object.assign(env, {
    PORT: String(port),
    HOST: '127.0.0.1',
    // 512 kB by default, but the behaviours send bodies of 10 MB.
    BODY_SIZE_LIMIT: 'Infinity',
    PROTOCOL_HEADER: 'x-protocol',
  });
  const { server } = await import('../projects/sveltekit/build/index.js');
  // It treats every request as https unless a proxy says otherwise. This is what the proxy would say.
  server.prependListener('request', ({ headers }) => (headers['x-protocol'] = 'http'));
}
