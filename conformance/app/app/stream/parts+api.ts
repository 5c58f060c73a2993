import { requestId } from 'appkit-server';

/** Reads the request id in each part of a stream, after a wait. */
export function GET(): Response {
  const encoder = new TextEncoder();
  let parts = 0;
  return new Response(
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setImmediate(resolve));
        const id = encoder.encode(`${requestId()}\n`);
        controller.enqueue(id);
        // More than the stream keeps: it pulls again when this has been read.
        controller.enqueue(id);
        if (++parts === 3) controller.close();
      },
    }),
    { headers: { 'content-type': 'text/plain' } },
  );
}
