import { collectGarbage } from '../../lib/collect-garbage.ts';
import { record, waitFor } from '../../lib/signals.ts';
import { query } from '../../lib/query.ts';

/**
 * Keeps only a listener on the signal, lets everything else be garbage-collected, then streams until the client leaves.
 */
export function GET(request: Request): Response {
  const id = query(request, 'id');
  request.signal.addEventListener('abort', () => record(`${id}-aborted`));
  return new Response(
    new ReadableStream({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode('started'));
        await waitFor(`${id}-collect`);
        await collectGarbage();
        record(`${id}-collected`);
      },
    }),
  );
}
