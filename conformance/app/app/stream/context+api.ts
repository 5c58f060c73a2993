import { origin } from 'appkit-server';
import { query } from '../../lib/query.ts';
import { waitFor } from '../../lib/signals.ts';

/** Reads the origin after the response has begun. */
export function GET(request: Request): Response {
  const id = query(request, 'id');
  return new Response(
    new ReadableStream({
      async start(controller) {
        await waitFor(id);
        controller.enqueue(new TextEncoder().encode(origin()));
        controller.close();
      },
    }),
  );
}
