/** Prints what the adapter of one host adds to a request, as JSON: `node measure-host.ts <host> <server build>`. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { scenarios } from '../http/scenarios.ts';
import { median } from '../section.ts';
import { exchange } from './exchange.ts';
import type { Call, CreateCalls } from './host-calls.ts';

const [host = '', build = ''] = process.argv.slice(2);
const headers = scenarios.find(({ name }) => name === 'text, 20 headers')?.headers ?? {};
const load = createRequire(import.meta.url);

const file = new URL(`../../adapters/${host}/overhead.ts`, import.meta.url);
if (!existsSync(file)) throw new Error(`adapters/${host}/overhead.ts is missing. It says what the benchmark compares.`);
const { createCalls } = (await import(file.href)) as { createCalls: CreateCalls }; // a module of ours
const loadBuild = (): unknown => load(path.join(build, 'index.js'));
const pair = await createCalls({ build, loadBuild, headers, newRequest, routeCaller, exchange });
const times: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
for (let batch = 0; batch < 18; batch++) {
  const [ours, bare] = [await time(pair.ours), await time(pair.bare)];
  // The first three warm up.
  if (batch < 3) continue;
  times.ours.push(ours);
  times.bare.push(bare);
}
const bare = median(times.bare);
console.log(JSON.stringify({ added: median(times.ours) - bare, bare }));

function newRequest(): Request {
  return new Request('http://127.0.0.1/text', { headers });
}

// Loaded when a handler exists, since the handler may have registered something that loading uses.
function routeCaller(): Call {
  const route = load(path.join(build, '_appkit/functions/text+api.js')) as { GET(request: Request): Promise<Response> };
  return async () => (await route.GET(newRequest())).text();
}

// Processor time: other work on the machine is not the adapter's.
async function time(call: Call): Promise<number> {
  const count = 2000;
  const start = process.cpuUsage();
  for (let index = 0; index < count; index++) await call();
  // Node's own work for a finished response waits for this.
  await setImmediate();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / count;
}
