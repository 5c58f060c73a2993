import type { ServerResponse } from 'node:http';
import type { ReadRequest } from '../_node/parsed-body.ts';

/** A request of `@vercel/node`: Node's, with helpers such as `body`. */
export type VercelRequest = ReadRequest;

/** The response to a {@link VercelRequest}. */
export type VercelResponse = ServerResponse;

/** What the platform knows about a request. */
export interface VercelRequestContext {
  waitUntil?(promise: Promise<unknown>): void;
  /** Its CDN. */
  purge?: { invalidateByTag(tags: readonly string[]): Promise<unknown> };
}

/** The value that the platform keeps under `Symbol.for('@vercel/request-context')` of `globalThis`. */
export interface RequestContextStore {
  get?(): VercelRequestContext | undefined;
}
