/** Ends a server without cutting off what is in progress. @module */
import { startDraining } from '../../runtime/host.ts';

export { startDraining };

/** A server that can stop accepting connections: of `node:http`, Bun or Deno. */
export type StoppableServer =
  | NodeServer
  | { stop(): Promise<void>; readonly pendingRequests?: number }
  | { shutdown(): Promise<void>; readonly finished: Promise<void> };

/** The methods used of a `node:http` server. */
export interface NodeServer {
  close(callback?: () => void): unknown;
  /** One of `node:http2` does not have it. */
  closeIdleConnections?(): void;
  prependListener(event: 'request', listener: (request: unknown, response: NodeAnswer) => void): unknown;
}

/** What is used of a `node:http` response. */
export interface NodeAnswer {
  readonly headersSent: boolean;
  /** Only one of `node:http2` has it. */
  readonly stream?: { readonly session?: { close(): void } | undefined };
  setHeader(name: string, value: string): unknown;
  once(event: 'close', listener: () => void): unknown;
}

export interface DrainableHandler {
  /** Resolves when nothing is in progress any more. */
  drain(): Promise<void>;
}

/**
 * How long a shutdown may take, in milliseconds. Docker and most platforms end the process after ten seconds anyway.
 */
const LIMIT_MS = 10_000;
/**
 * How long a server of Node still reads from kept connections after it has stopped listening, in milliseconds. A proxy may have sent a
 * request on one that looks idle here. Those that it uses bring their next request within this time.
 */
const LAST_REQUESTS_MS = 250;
/** How often a server that does not tell when it has answered is asked, in milliseconds. */
const LOOK_MS = 20;

/**
 * Ends the process on SIGTERM: the server stops accepting connections, and open files, requests and tasks are finished.
 * After ten seconds, the process ends with 1. If the app has called `isDraining()` of `appkit-server`, the server goes
 * on for three seconds first, so that a proxy sees the answer.
 *
 * @param server – of `node:http`, `Bun.serve` or `Deno.serve`.
 * @param handler – the handler of the adapter; its tasks are awaited.
 */
export function stopOnSignal(server: StoppableServer, handler: DrainableHandler): void {
  const stop = toStop(server);
  process.once('SIGTERM', () => {
    setTimeout(() => process.exit(1), LIMIT_MS);
    // The app's timers and open connections would keep the process running forever.
    void delay(startDraining())
      .then(stop)
      .then(() => handler.drain())
      .then(
        () => process.exit(),
        (error: unknown) => {
          console.error(error);
          process.exit(1);
        },
      );
  });
}

/**
 * Stops accepting connections, and leaves those that there are. Resolves after the time for their last requests, or when
 * none is left.
 *
 * @param server – of `node:http`, with kept connections.
 */
export function stopListening(server: Pick<NodeServer, 'close' | 'closeIdleConnections'>): Promise<void> {
  const { closeIdleConnections } = server;
  // From 19 on, `close()` of Node also closes the idle connections.
  if (closeIdleConnections) server.closeIdleConnections = () => {};
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  if (closeIdleConnections) server.closeIdleConnections = closeIdleConnections;
  return Promise.race([closed, delay(LAST_REQUESTS_MS)]);
}

function delay(ms: number): Promise<void> {
  return ms === 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
}

/**
 * Resolves when every request has been answered. The promise of Bun's `stop()` also waits for WebSockets, and for
 * connections that never send a whole request.
 */
function untilAnswered(server: { readonly pendingRequests?: number }): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (server.pendingRequests !== 0) return;
      clearInterval(timer);
      resolve();
    }, LOOK_MS);
  });
}

function toStop(server: StoppableServer): () => Promise<unknown> {
  if ('shutdown' in server) return () => server.shutdown();
  if ('stop' in server) return () => Promise.race([server.stop(), untilAnswered(server)]);
  return toStopNode(server);
}

/**
 * Closes each connection after its answer. Otherwise, a client that keeps its connections, such as a proxy, would send
 * one request after the other until the limit, and lose some of them then.
 */
function toStopNode(server: NodeServer): () => Promise<void> {
  const running = new Set<NodeAnswer>();
  let isStopping = false;
  let whenAnswered: (() => void) | undefined;
  // Before the app, which may answer at once.
  server.prependListener('request', (_, response) => {
    running.add(response);
    if (isStopping) closeAfter(response);
    response.once('close', () => {
      running.delete(response);
      if (!whenAnswered) return;
      // Those of answers whose head was sent before.
      server.closeIdleConnections?.();
      if (running.size === 0) whenAnswered();
    });
  });
  return () =>
    new Promise((resolve) => {
      isStopping = true;
      const stopped = stopListening(server);
      for (const response of running) closeAfter(response);
      void stopped.then(() => {
        whenAnswered = resolve;
        server.closeIdleConnections?.();
        if (running.size === 0) resolve();
      });
    });
}

function closeAfter(response: NodeAnswer): void {
  // HTTP/2 has no Connection header: RFC 9113 section 8.2.2. Its session takes no further request, and ends with the last answer.
  if (response.stream) response.stream.session?.close();
  else if (!response.headersSent) response.setHeader('connection', 'close');
}
