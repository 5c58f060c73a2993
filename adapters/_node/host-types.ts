import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';

/** A request as `node:http`, `node:https` and the compatibility API of `node:http2` give it. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;

/** A body to make a Request with. */
export type RequestBody = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/** The response that goes with a {@link NodeRequest}. */
export type NodeResponse = ServerResponse | Http2ServerResponse;
