import type { exchange } from './exchange.ts';

/** One exchange, timed. */
export type Call = () => Promise<unknown>;

/** What `adapters/<host>/overhead.ts` receives for making its calls. */
export interface OverheadContext {
  /** The folder of a server build with a route at `/text`. */
  build: string;
  /** Loads the exports of that folder's `index.js`. */
  loadBuild(): unknown;
  /** Headers like those that a browser sends. */
  headers: Record<string, string>;
  /** Makes a GET request for `/text`. */
  newRequest(): Request;
  /** Returns a call of the route without an adapter. Request it after a handler has been created. */
  routeCaller(): Call;
  /** Passes a request to a `node:http` listener without a connection. */
  exchange: typeof exchange;
}

/** Two calls: the adapter around the route, and a minimal handler of the host for the same answer. */
export type CreateCalls = (context: OverheadContext) => Promise<{ ours: Call; bare: Call }>;
