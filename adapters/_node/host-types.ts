import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';

/** A request of `node:http`, `node:https` and the compatibility API of `node:http2`. */
export type NodeRequest = IncomingMessage | Http2ServerRequest;

/** A body that a framework has already read, as the framework left it. */
export type ParsedBody = Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

/** The response to a {@link NodeRequest}. */
export type NodeResponse = ServerResponse | Http2ServerResponse;
