import { record, waitFor } from '../../lib/signals.ts';
import { query } from '../../lib/query.ts';

/** Reads the body, waits to be released, and says whether the signal thinks that the client has left. */
export async function POST(request: Request): Promise<Response> {
  const { signal } = request;
  await request.text();
  record(query(request, 'reached'));
  await waitFor(query(request, 'release'));
  return Response.json({ aborted: signal.aborted });
}

/** Waits for the client to leave, then answers nobody with a stream that must be cancelled. */
export async function GET(request: Request): Promise<Response> {
  const id = query(request, 'id');
  const left = new Promise<void>((resolve) =>
    request.signal.addEventListener('abort', () => resolve(), { once: true }),
  );
  record(`${id}-reached`);
  await left;
  record(`${id}-aborted`, String(request.signal.aborted));
  return new Response(
    new ReadableStream({
      cancel() {
        record(`${id}-cancelled`);
      },
    }),
  );
}
