import { answeredError } from './arriving-body.ts';
import type { ArrivingBody } from './arriving-body.ts';
import { BodyStream } from './body-stream.ts';
import type { NodeResponse, ParsedBody } from './host-types.ts';

/** The body of a request, of which nothing is read before somebody asks. It can be asked for once. */
export interface RequestBody {
  /** All of it. It may share its memory with others. */
  whole(): Promise<Uint8Array>;
  /** What a native Request takes. */
  forNative(): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

/** The body that a Node request brings. */
export function toRequestBody(body: ArrivingBody): RequestBody {
  return { whole: () => readWhole(body), forNative: () => new BodyStream(body) };
}

/** The body that a framework has read before us. */
export function fromParsedBody(body: ParsedBody): RequestBody {
  return { whole: async () => new Uint8Array(await new Response(body).arrayBuffer()), forNative: () => body };
}

/** The body of a request that has been answered without it. */
export const answeredBody: RequestBody = {
  whole: () => Promise.reject(answeredError()),
  forNative: () => new ReadableStream({ start: (controller) => controller.error(answeredError()) }),
};

/**
 * Sends the body of a request back as that of its answer: the stream of a route's `new Response(request.body)`, of which nothing
 * has been read.
 *
 * @returns whether the stream was such a one, and is on its way.
 */
export function pipeBack(stream: ReadableStream, sink: NodeResponse, start: () => void): boolean {
  if (!(stream instanceof BodyStream) || stream.locked || !stream.arriving.isUntouched) return false;
  // The length was announced, and is within the limit.
  if (stream.arriving.source.headers?.['content-length'] === undefined) return false;
  // It is read now, for whoever asks.
  stream.getReader();
  start();
  stream.arriving.pipe(sink);
  return true;
}

/** Reads all of a body without a stream of the web in between, which would take longer than the reading. */
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
