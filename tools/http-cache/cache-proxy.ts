/**
 * A reverse proxy with the shared cache of our adapters in front, which may keep whatever the headers of an answer
 * allow.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer, request as send } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { Readable } from 'node:stream';
import { createMemoryStore } from '../../adapters/_cache/memory-store.ts';
import { createSharedCache } from '../../adapters/_cache/shared-cache.ts';
import { createListener } from '../../adapters/_node/listener.ts';
import { toPathTag } from '../../runtime/host.ts';
import type { Handler, HostContext } from '../../runtime/host.ts';

/**
 * The headers by which the suite distinguishes its requests. A request that the cache itself sends carries nothing from
 * the client, so it would lack them.
 */
const MARKS = ['req-num', 'test-id', 'test-name'];

const marksOf = new AsyncLocalStorage<[string, string][]>();

/** Starts the proxy on a port of the loopback address. */
export async function startCacheProxy(upstreamPort: number, port: number): Promise<Server> {
  const cached = createSharedCache(toUpstream(upstreamPort), {
    store: createMemoryStore(64 * 1024 * 1024),
    maxBodyBytes: 1024 * 1024,
    forecast: () => 'likely',
    report: (error) => void console.error(error),
    onStoreError: (error) => console.error(error),
    Response,
  });
  const handler: Handler = (request, host) => {
    const marks = [...request.headers].filter(([name]) => MARKS.includes(name));
    return marksOf.run(marks, cached, request, host);
  };
  const build = { manifest: { version: 1, routes: [] }, modules: {} };
  const server = createServer(createListener({ build }, { front: () => handler })).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

function toUpstream(port: number): Handler {
  const forward = async (request: Request, host: HostContext | undefined): Promise<Response> => {
    const { pathname, search } = new URL(request.url);
    const headers = { ...Object.fromEntries(marksOf.getStore() ?? []), ...Object.fromEntries(request.headers) };
    const body = request.method === 'GET' || request.method === 'HEAD' ? undefined : await request.text();
    const upstream = send({ host: '127.0.0.1', port, path: pathname + search, method: request.method, headers });
    // Once the answer has begun, the error also appears in its stream.
    upstream.on('error', () => undefined).end(body);
    const [answer] = (await once(upstream, 'response')) as [IncomingMessage];
    // As if the route had called cache(): the headers say what may be kept.
    host?.onKept?.([toPathTag(pathname)]);
    const own = new Headers();
    for (let index = 0; index < answer.rawHeaders.length; index += 2) {
      own.append(answer.rawHeaders[index] ?? '', answer.rawHeaders[index + 1] ?? '');
    }
    const { statusCode: status = 502, statusMessage: statusText = '' } = answer;
    const isEmpty = request.method === 'HEAD' || status === 204 || status === 304;
    if (isEmpty) answer.resume();
    const stream = isEmpty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>);
    return new Response(stream, { status, statusText, headers: own });
  };
  // An invalid status, such as 999, or an upstream that hangs up.
  return (request, host) => forward(request, host).catch(() => new Response('Bad gateway', { status: 502 }));
}
