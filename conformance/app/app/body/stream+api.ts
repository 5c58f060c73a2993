import { query } from '../../lib/query.ts';
import { record, waitFor } from '../../lib/signals.ts';

/** Records each piece of the body as it arrives. */
export async function POST(request: Request): Promise<Response> {
  const id = query(request, 'id');
  let text = '';
  try {
    for await (const chunk of request.body ?? []) {
      text += new TextDecoder().decode(chunk);
      record(`${id}-received`, text);
    }
  } catch (error) {
    record(`${id}-failed`, String(error instanceof Error));
    throw error;
  }
  return new Response(text);
}

/** Sends each piece back before the next one arrives. */
export function PUT(request: Request): Response {
  const upper = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(new TextEncoder().encode(new TextDecoder().decode(chunk).toUpperCase()));
    },
  });
  return new Response(request.body?.pipeThrough(upper) ?? null);
}

/** Cancels the body after its first piece. */
export async function DELETE(request: Request): Promise<Response> {
  const reader = request.body?.getReader();
  await reader?.read();
  await reader?.cancel();
  return new Response('cancelled');
}

/** Reads one piece, then no more until released. */
export async function PATCH(request: Request): Promise<Response> {
  const id = query(request, 'id');
  const reader = request.body?.getReader();
  await reader?.read();
  record(`${id}-reached`);
  await waitFor(`${id}-release`);
  let length = 0;
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) length += part.value.length;
  return new Response(String(length));
}
