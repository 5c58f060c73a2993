/** Prints how long the first answer of a host's adapter took, as JSON: `node cold-start.ts <host> <server build>`. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { exchange } from './exchange.ts';
import type { CreateCalls } from './host-calls.ts';

const [host = '', build = ''] = process.argv.slice(2);
const load = createRequire(import.meta.url);
const { createCalls } = (await import(`../../adapters/${host}/overhead.ts`)) as { createCalls: CreateCalls }; // ours
const startedAt = performance.now();
const { ours } = await createCalls({
  build,
  loadBuild: () => load(path.join(build, 'index.js')),
  headers: {},
  newRequest: () => new Request('http://127.0.0.1/text'),
  routeCaller: () => () => Promise.reject(new Error('Only the adapter is asked.')),
  exchange,
});
await ours();
const endedAt = performance.now();
// The clock starts with the process.
console.log(JSON.stringify({ total: endedAt, own: endedAt - startedAt }));
