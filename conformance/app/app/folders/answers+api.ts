import { query } from '../../lib/query.ts';
import { record, waitFor } from '../../lib/signals.ts';

const nothing = new Response(null, { status: 204 });

export function GET(): Response {
  return new Response('from the route', { headers: { 'set-cookie': 'route=1' } });
}

/** The same Response each time. */
export function DELETE(): Response {
  return nothing;
}

/** Sends `first`, then `second` when released. */
export function POST(request: Request): Response {
  const id = query(request, 'id');
  const encoder = new TextEncoder();
  return new Response(
    new ReadableStream({
      async start(controller) {
        controller.enqueue(encoder.encode('first'));
        await waitFor(`${id}-second`);
        controller.enqueue(encoder.encode('second'));
        controller.close();
      },
    }),
  );
}

/** Continues until it is cancelled, and records that. */
export function PUT(request: Request): Response {
  const id = query(request, 'id');
  return new Response(new ReadableStream({ cancel: () => record(`${id}-cancelled`) }));
}
