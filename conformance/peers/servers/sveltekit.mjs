import { env } from 'node:process';

/** Starts what `vite build` has made of projects/sveltekit, which listens by itself. */
export async function serve(fetch, port) {
  globalThis[Symbol.for('peers.fetch')] = fetch;
  Object.assign(env, {
    PORT: String(port),
    HOST: '127.0.0.1',
    // 512 kB by default, and bodies of 10 MB are asked for.
    BODY_SIZE_LIMIT: 'Infinity',
    PROTOCOL_HEADER: 'x-protocol',
  });
  const { server } = await import('../projects/sveltekit/build/index.js');
  // It takes every request for one of https unless a proxy says otherwise. This is what the proxy would say.
  server.prependListener('request', ({ headers }) => (headers['x-protocol'] = 'http'));
}
