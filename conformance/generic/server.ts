import { connect } from './raw-http.ts';
import type { Connection, RawRequest, RawResponse } from './raw-http.ts';

/** A server that serves the fixture, as behaviours see it. */
export interface Server {
  readonly name: string;
  /** Everything random in a behaviour follows from it. */
  readonly seed: number;
  /** Scheme, host and port, without a trailing slash. */
  readonly origin: string;
  /** Where the fixture is mounted; empty at the root. */
  readonly basePath: string;
  /** `fetch` on a path of the fixture, without following redirects. A request with a body has its own connection. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /**
   * One exchange on its own connection, with every byte chosen by the test. `Host` is added when `headers` has none.
   */
  send(request: Omit<RawRequest, 'target'> & { path?: string; target?: string }): Promise<RawResponse>;
  /** A connection to the server. */
  connect(): Promise<Connection>;
  /** The request target of a path of the fixture. */
  target(path: string): string;
  /** The `Host` header line of the server. */
  readonly hostHeader: readonly ['Host', string];
}

/** Describes a running server to the behaviours. */
export function toServer(at: Pick<Server, 'name' | 'seed' | 'origin' | 'basePath'>): Server {
  const { name, seed, origin, basePath } = at;
  const hostHeader = ['Host', new URL(origin).host] as const;
  const target = (path: string): string => basePath + path;
  return {
    name,
    seed,
    origin,
    basePath,
    hostHeader,
    target,
    fetch(path, init = {}) {
      const headers = new Headers(init.headers);
      // Workerd closes a connection whose request it has not read to the end, which the next request on it would run
      // into.
      if (init.body !== undefined && init.body !== null) headers.set('Connection', 'close');
      return fetch(origin + target(path), { redirect: 'manual', ...init, headers });
    },
    connect: () => connect(origin),
    async send({ path, headers = [], ...request }) {
      const connection = await connect(origin);
      try {
        const hasHost = headers.some(([key]) => key.toLowerCase() === 'host');
        await connection.write({
          target: target(path ?? '/'),
          ...request,
          headers: hasHost || request.version === 'HTTP/1.0' ? headers : [hostHeader, ...headers],
        });
        return await connection.response(request.method);
      } finally {
        connection.destroy();
      }
    },
  };
}
