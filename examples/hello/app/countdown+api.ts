import { StatusError } from 'appkit-server';
import { setTimeout as delay } from 'node:timers/promises';
import { writeAuditLog } from '../server/audit-log.ts';

/** GET /countdown?from=5&everyMs=1000: server-sent events, one for each number down to 0. */
export function GET(request: Request): Response {
  const { searchParams } = new URL(request.url);
  const everyMs = readNumber(searchParams, 'everyMs', { fallback: 1000, min: 10, max: 5000 });
  let left = readNumber(searchParams, 'from', { fallback: 5, min: 0, max: 100 });

  const encoder = new TextEncoder();
  const events = new ReadableStream<Uint8Array>({
    // Called when the client has read what was available: a slow client is never sent more than it reads.
    async pull(controller) {
      controller.enqueue(encoder.encode(`data: ${left}\n\n`));
      if (left === 0) return controller.close();
      left--;
      // request.signal is aborted when the client goes away. The timer ends with it, and the countdown does not run on
      // unread.
      await delay(everyMs, undefined, { signal: request.signal }).catch(async () => {
        await writeAuditLog(`A client left the countdown at ${left}`);
        controller.close();
      });
    },
  });
  return new Response(events, { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store' } });
}

function readNumber(
  params: URLSearchParams,
  name: string,
  { fallback, min, max }: { fallback: number; min: number; max: number },
): number {
  const value = Number(params.get(name) ?? fallback);
  if (!Number.isInteger(value) || value < min || value > max)
    throw new StatusError(400, `${name} must be from ${min} to ${max}.`);
  return value;
}
