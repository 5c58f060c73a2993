import { query } from '../../lib/query.ts';
import { waitFor } from '../../lib/signals.ts';

/** Fails after its first piece, or before it with `?early`. */
export function GET(request: Request): Response {
  const { searchParams } = new URL(request.url);
  return new Response(
    new ReadableStream({
      async start(controller) {
        if (searchParams.has('early')) throw new Error('secret cause');
        controller.enqueue(new TextEncoder().encode('part one'));
        await waitFor(query(request, 'break'));
        throw new Error('secret cause');
      },
    }),
  );
}
