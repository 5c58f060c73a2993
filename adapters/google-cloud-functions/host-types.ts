import type { ServerResponse } from 'node:http';
import type { ReadRequest } from '../_node/parsed-body.ts';

/** A request of `@google-cloud/functions-framework`: an Express request with the bytes of its body in `rawBody`. */
export type FunctionsRequest = ReadRequest;

/** The response to a {@link FunctionsRequest}. */
export type FunctionsResponse = ServerResponse;
