import type { IncomingMessage, ServerResponse } from 'node:http';

/** What this adapter reads of an Express 4 or 5 request. */
export interface ExpressRequest extends IncomingMessage {
  /** The target before a mount cut its own path off `url`. */
  originalUrl: string;
  /** The path the handler is mounted at, `''` for none. */
  baseUrl: string;
  /** What a body parser has made of the body. */
  body?: unknown;
}

/** What this adapter needs of an Express response: it is Node's. */
export type ExpressResponse = ServerResponse;
