import type { ServerResponse } from 'node:http';
import type { ReadRequest } from '../_node/parsed-body.ts';

/** A request of `@google-cloud/functions-framework`: that of Express, with the bytes of its body in `rawBody`. */
export type FunctionsRequest = ReadRequest;

/** The response that goes with a {@link FunctionsRequest}. */
export type FunctionsResponse = ServerResponse;
