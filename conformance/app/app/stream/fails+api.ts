import { query } from '../../lib/query.ts';

/** A stream that fails after its first part. */
export function GET(request: Request): Response {
  const id = query(request, 'id');
  let parts = 0;
  return new Response(
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setImmediate(resolve));
        if (parts++ > 0) throw new Error(`secret cause ${id}`);
        controller.enqueue(new TextEncoder().encode('first'));
      },
    }),
  );
}
