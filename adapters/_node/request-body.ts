import { answeredError } from './arriving-body.ts';
import type { ArrivingBody } from './arriving-body.ts';
import { BodyStream } from './body-stream.ts';
import type { NodeResponse, ParsedBody } from './host-types.ts';

/** The body of a request. Nothing is read before code asks for the body, which it can do once. */
export interface RequestBody {
  /** The complete body. It may share its memory with other objects. */
  whole(): Promise<Uint8Array>;
  /** The body for a native Request. */
  forNative(): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

/** The body of a Node request. */
export function toRequestBody(body: ArrivingBody): RequestBody {
  return {
    whole: () => readWhole(body),
    forNative() {
      body.isHandedOut = true;
      return new BodyStream(body);
    },
  };
}

/** A body that a framework has already read. */
export function fromParsedBody(body: ParsedBody): RequestBody {
  return { whole: async () => new Uint8Array(await new Response(body).arrayBuffer()), forNative: () => body };
}

/** The body of a request that was answered without reading it. */
export const answeredBody: RequestBody = {
  whole: () => Promise.reject(answeredError()),
  forNative: () => new ReadableStream({ start: (controller) => controller.error(answeredError()) }),
};

/**
 * Sends the body of a request back as the body of its answer: the unread stream of a route's `new Response(request.body)`.
 *
 * @returns whether the stream was such a body; if so, it is being sent.
 */
export function pipeBack(stream: ReadableStream, sink: NodeResponse, start: () => void): boolean {
  if (!(stream instanceof BodyStream) || stream.locked || !stream.arriving.isUntouched) return false;
  // The length was announced, and is within the limit.
  if (stream.arriving.source.headers?.['content-length'] === undefined) return false;
  // It now counts as read.
  stream.getReader();
  start();
  stream.arriving.pipe(sink);
  return true;
}

/** Reads a complete body without a web stream in between, which would take longer than the reading. */
function readWhole(body: ArrivingBody): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    body.take({
      take: (chunk) => chunks.push(chunk),
      end: () => resolve(chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks)),
      fail: reject,
    });
  });
}
