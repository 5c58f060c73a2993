import { query } from '../../app/lib/query.ts';
import { record } from '../../app/lib/signals.ts';

export function GET(request: Request): Response {
  const id = query(request, 'id');
  return new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(1024));
      },
      cancel() {
        record(id);
      },
    }),
  );
}
