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

async function collectGarbage(): Promise<void> {
  const { Bun } = globalThis as { Bun?: { gc(force: boolean): void } };
  if (Bun !== undefined) return Bun.gc(true);
  const { setFlagsFromString } = await import('node:v8');
  const { runInNewContext } = await import('node:vm');
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let round = 0; round < 5; round += 1) {
    collect();
    await new Promise((resolve) => setImmediate(resolve));
  }
}
