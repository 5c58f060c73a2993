/** Prints what the adapter of one host adds to a request, as JSON: `node measure-host.ts <host> <server build>`. */
import { createRequire } from 'node:module';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { scenarios } from '../http/scenarios.ts';
import { median } from '../section.ts';
import { exchange } from './exchange.ts';

type Call = () => Promise<unknown>;

const [host = '', build = ''] = process.argv.slice(2);
const headers = scenarios.find(({ name }) => name === 'text, 20 headers')?.headers ?? {};
const load = createRequire(import.meta.url);

/** The adapter around the route, and the least that a handler of the host does for the same answer. */
const pairs: Record<string, () => Promise<{ ours: Call; bare: Call }>> = {
  async netlify() {
    const { createRequestHandler } = await import('appkit-server/adapter/netlify');
    const handler = createRequestHandler({ build });
    return { ours: async () => (await handler(newRequest(), undefined as never)).text(), bare: routeCaller() };
  },
  async cloudflare() {
    const { createRequestHandler } = await import('appkit-server/adapter/cloudflare');
    const handler = createRequestHandler({ build: load(path.join(build, 'index.js')) as never }); // written by the export
    const context = { waitUntil() {} } as never; // all of it that is used
    return { ours: async () => (await handler.fetch(newRequest(), {}, context)).text(), bare: routeCaller() };
  },
  async 'aws-lambda'() {
    const { createRequestHandler } = await import('appkit-server/adapter/aws-lambda');
    const handler = createRequestHandler({ build });
    const event = {
      version: '2.0',
      rawPath: '/text',
      rawQueryString: '',
      headers: { ...headers, host: '127.0.0.1' },
      requestContext: { domainName: '127.0.0.1', stage: '$default', http: { method: 'GET' } },
    };
    const bare = async (): Promise<unknown> => ({ statusCode: 200, headers: {}, body: 'Hello, world!' });
    return { ours: () => handler(event, undefined as never), bare };
  },
  async vercel() {
    const { createRequestHandler } = await import('appkit-server/adapter/vercel');
    const handler = createRequestHandler({ build });
    return {
      ours: () => exchange('/text', headers, (request, response) => handler(request as never, response as never)),
      bare: () =>
        exchange('/text', headers, (_request, response) => {
          response.writeHead(200, { 'content-type': 'text/plain;charset=UTF-8', 'content-length': 13 });
          response.end('Hello, world!');
        }),
    };
  },
};

const pair = await pairs[host]?.();
if (!pair) throw new Error(`There is no ${host}. There are: ${Object.keys(pairs).join(', ')}.`);
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

// Loaded when a handler exists, which may have registered what it is to be loaded with.
function routeCaller(): Call {
  const route = load(path.join(build, '_appkit/functions/text+api.js')) as { GET(request: Request): Promise<Response> };
  return async () => (await route.GET(newRequest())).text();
}

// Processor time: what else the machine does is not the adapter's.
async function time(call: Call): Promise<number> {
  const count = 2000;
  const start = process.cpuUsage();
  for (let index = 0; index < count; index++) await call();
  // Node's own work for a response that has ended waits for this.
  await setImmediate();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / count;
}
