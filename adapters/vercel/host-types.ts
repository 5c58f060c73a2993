import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request as `@vercel/node` gives it to a function: Node's, with helpers such as `body` that this adapter leaves alone. */
export type VercelRequest = IncomingMessage;

/** The response that goes with a {@link VercelRequest}. */
export type VercelResponse = ServerResponse;

/** What the platform keeps under `Symbol.for('@vercel/request-context')` of `globalThis`. */
export interface RequestContextStore {
  get?(): { waitUntil?(promise: Promise<unknown>): void } | undefined;
}
