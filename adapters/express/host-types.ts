import type { ServerResponse } from 'node:http';
import type { ReadRequest } from '../_node/parsed-body.ts';

/** What this adapter reads of an Express 4 or 5 request. */
export interface ExpressRequest extends ReadRequest {
  /** The target before a mount removed its path from `url`. */
  originalUrl: string;
  /** The path that the handler is mounted at, `''` for none. */
  baseUrl: string;
}

/** What this adapter needs of an Express response: it is Node's. */
export type ExpressResponse = ServerResponse;
