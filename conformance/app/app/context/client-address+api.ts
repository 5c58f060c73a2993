import { clientAddress, deferTask } from 'appkit-server';
import { query } from '../../lib/query.ts';
import { record } from '../../lib/signals.ts';

export function GET(): Response {
  return Response.json({ address: clientAddress() ?? null });
}

/** Asks for the address only in a task, when the host has done what it does after an answer. */
export function POST(request: Request): Response {
  const id = query(request, 'id');
  deferTask(async () => {
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 0));
    record(`${id}-address`, String(clientAddress() ?? null));
  });
  return new Response('answered');
}
