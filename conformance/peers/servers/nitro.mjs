import { env } from 'node:process';

/** Starts the output of `nitro build` in projects/nitro, which listens by itself. */
export async function serve(fetch, port) {
  globalThis[Symbol.for('peers.fetch')] = fetch;
  Object.assign(env, { PORT: String(port), HOST: '127.0.0.1' });
  await import('../projects/nitro/.output/server/index.mjs');
}
