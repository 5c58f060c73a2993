import { query } from '../../lib/query.ts';
import { record } from '../../lib/signals.ts';

/** Far beyond what a host may ask for; keeps one without backpressure from filling the memory. */
const ENOUGH = 64 * 1024 * 1024;

/** Produces 64 KiB whenever asked, counts, and says when it is cancelled. */
export function GET(request: Request): Response {
  const id = query(request, 'id');
  let produced = 0;
  request.signal.addEventListener('abort', () => record(`${id}-aborted`));
  return new Response(
    new ReadableStream({
      pull(controller) {
        produced += 64 * 1024;
        record(`${id}-produced`, String(produced));
        controller.enqueue(new Uint8Array(64 * 1024));
        if (produced >= ENOUGH) controller.close();
      },
      cancel() {
        record(`${id}-cancelled`);
      },
    }),
  );
}

/** HEAD sends none of it. */
export { GET as HEAD };
