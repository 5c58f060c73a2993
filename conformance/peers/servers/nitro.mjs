import { env } from 'node:process';

/** Starts what `nitro build` has made of projects/nitro, which listens by itself. */
export async function serve(fetch, port) {
  globalThis[Symbol.for('peers.fetch')] = fetch;
  Object.assign(env, { PORT: String(port), HOST: '127.0.0.1' });
  await import('../projects/nitro/.output/server/index.mjs');
}
