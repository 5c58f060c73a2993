import type { FileHandle } from 'node:fs/promises';
import { readPart } from './open-file.ts';
import type { Opened } from './open-file.ts';

/** Creates a Response from an answer. */
export async function toResponse({ decision, handle }: Opened, method: string): Promise<Response> {
  const { status, headers, text, part } = decision;
  if (!handle || !part) return new Response(method === 'HEAD' ? null : text, { status, headers });
  const chunks = readPart(handle, part);
  try {
    // If the disk fails at once, the answer is 500; most files are one chunk.
    const first = await chunks.next();
    const isWhole = first.done || first.value.length === part.end - part.start;
    if (!isWhole) return new Response(toStream(first.value, { chunks, handle }), { status, headers });
    await handle.close();
    return new Response(first.value ?? null, { status, headers });
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function toStream(
  first: Uint8Array<ArrayBuffer>,
  { chunks, handle }: { chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>; handle: FileHandle },
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start: (controller) => controller.enqueue(first),
    async pull(controller) {
      try {
        const { done, value } = await chunks.next();
        if (!done) return controller.enqueue(value);
      } catch (error) {
        await handle.close();
        throw error;
      }
      await handle.close();
      controller.close();
    },
    cancel: () => handle.close(),
  });
}
