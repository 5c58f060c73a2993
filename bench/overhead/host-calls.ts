import type { exchange } from './exchange.ts';

/** One exchange, timed. */
export type Call = () => Promise<unknown>;

/** What `adapters/<host>/overhead.ts` is given to make its calls with. */
export interface OverheadContext {
  /** The folder of a server build with a route at `/text`. */
  build: string;
  /** What that folder's `index.js` exports. */
  loadBuild(): unknown;
  /** Headers as a browser sends them. */
  headers: Record<string, string>;
  /** Makes a GET request for `/text`. */
  newRequest(): Request;
  /** Calls the route without an adapter. To be asked for once there is a handler. */
  routeCaller(): Call;
  /** Hands a request to a listener of `node:http` without a connection. */
  exchange: typeof exchange;
}

/** The adapter around the route, and the least that a handler of the host does for the same answer. */
export type CreateCalls = (context: OverheadContext) => Promise<{ ours: Call; bare: Call }>;
