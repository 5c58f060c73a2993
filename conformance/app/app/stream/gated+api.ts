import { origin } from 'appkit-server';
import { query } from '../../lib/query.ts';
import { record, waitFor } from '../../lib/signals.ts';

/** Sends `first`, then `second` when released. With `?head`, waits before `first` too. */
export function GET(request: Request): Response {
  const id = query(request, 'id');
  return new Response(
    new ReadableStream({
      async start(controller) {
        const encoder = new TextEncoder();
        if (new URL(request.url).searchParams.has('head')) await waitFor(`${id}-first`);
        controller.enqueue(encoder.encode('data: first\n\n'));
        await waitFor(`${id}-second`);
        controller.enqueue(encoder.encode(`data: second ${origin()}\n\n`));
        controller.close();
        record(`${id}-closed`);
      },
    }),
    { headers: { 'content-type': 'text/event-stream' } },
  );
}
