import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { stopListening } from 'appkit-server/shutdown';
import { createStaticFiles } from 'appkit-server/static';
import { CommandError } from '../command-error.ts';
import { KEEP_ALIVE_MS } from '../keep-alive.ts';
import type { ExportedApp } from './find-build.ts';
import { createFallback } from './fallback.ts';
import type { FileListener } from './fallback.ts';
import { listJobs, openJobs } from './open-jobs.ts';

/** A server for an exported app, not listening yet. */
export interface AppServer {
  /** The HTTP server. */
  server: Server;
  /**
   * Stops accepting requests.
   *
   * @param limitMs – how long it may take. The last requests of kept connections are given half of it at most.
   * @returns a promise that resolves when the requests in progress are answered and their tasks are done.
   */
  close(limitMs: number): Promise<void>;
  /** How many requests are in progress. */
  runningRequests(): number;
}

/** Answers the requests for which no static file exists. */
interface RouteHandler {
  (request: IncomingMessage, response: ServerResponse): void;
  /** Resolves when no task of a request is running. */
  drain(): Promise<void>;
}

/** Creates the server: it answers with the export's static files first, then with its routes. */
export async function createAppServer(
  { root, client, server: build, base, isSinglePage }: ExportedApp,
  { work }: { work: boolean },
): Promise<AppServer> {
  // An app may be exported again while it is served.
  const files = client === undefined ? withoutFiles : createStaticFiles(client, { live: true });
  const fallback =
    client === undefined || build !== undefined ? withoutFiles : createFallback(client, { files, base, isSinglePage });
  const routes = build ? await loadRoutes(build, { root, work }) : withoutRoutes();
  const running = new Set<ServerResponse>();
  const sockets = new Set<Socket>();
  let isStopping = false;

  const server = createServer((request, response) => {
    running.add(response);
    if (isStopping) response.setHeader('connection', 'close');
    response.once('close', () => running.delete(response));
    files(request, response, () => fallback(request, response, () => routes(request, response)));
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;

  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });

  return {
    server,
    runningRequests: () => running.size,
    async close(limitMs) {
      isStopping = true;
      const closed = once(server, 'close');
      const stopped = stopListening(server);
      for (const response of running) if (!response.headersSent) response.setHeader('connection', 'close');
      await Promise.race([stopped, delay(limitMs / 2, undefined, { ref: false })]);
      // Node counts a connection as idle only after an answer, and would wait for one that never sends a request.
      const busy = new Set([...running].map((response) => response.req.socket));
      for (const socket of sockets) if (!busy.has(socket)) socket.destroy();
      // Kept alive, the connection of an answer that had begun before would hold the server open for another minute.
      for (const response of running) response.once('close', () => server.closeIdleConnections());
      await closed;
      await routes.drain();
    },
  };
}

const withoutFiles: FileListener = (_request, _response, next) => next();

async function loadRoutes(build: string, { root, work }: { root: string; work: boolean }): Promise<RouteHandler> {
  const { createRequestHandler } = await import('appkit-server/adapter/node');
  try {
    const jobs = listJobs(build).length > 0 ? await openJobs(root, { work }) : undefined;
    return createRequestHandler({ build, jobs });
  } catch (error) {
    // Its message already says what to do.
    if (error instanceof CommandError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandError(
      `${build}: this server build cannot be served. ${reason}`,
      'Export the app again: appkit export -p web.',
      { cause: error },
    );
  }
}

// The answers equal the runtime's, so that nothing changes when the first route is added.
function withoutRoutes(): RouteHandler {
  const answerError = (request: IncomingMessage, response: ServerResponse): void => {
    if (request.method === 'GET' || request.method === 'HEAD') return answer(response, 404, 'Not found');
    response.setHeader('allow', 'GET, HEAD');
    answer(response, 405, 'Method not allowed');
  };
  return Object.assign(answerError, { drain: async () => {} });
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(text);
}
