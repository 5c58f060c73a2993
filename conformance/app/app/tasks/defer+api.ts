import { deferTask, StatusError } from 'appkit-server';
import { query } from '../../lib/query.ts';
import { record, waitFor } from '../../lib/signals.ts';

/** The task must not start while the handler is waiting. */
export async function GET(request: Request): Promise<Response> {
  const id = query(request, 'id');
  deferTask(async () => record(`${id}-started`));
  record(`${id}-waiting`);
  await waitFor(`${id}-release`);
  return new Response('resolved');
}

/** Ends in one of the ways a route can end. */
export function POST(request: Request): Response {
  const id = query(request, 'id');
  deferTask(async () => record(`${id}-started`));
  switch (query(request, 'end')) {
    case 'response':
      throw new Response('thrown', { status: 409 });
    case 'status-error':
      throw new StatusError(418, 'thrown');
    case 'error':
      throw new Error('unhandled');
    default:
      return new Response('returned');
  }
}

export function PUT(): Response {
  deferTask(async () => {
    await Promise.resolve();
    throw new Error('deferred task rejected');
  });
  return new Response('answered', { status: 201 });
}

export function DELETE(): Response {
  deferTask(() => {
    throw new Error('deferred task threw');
  });
  return new Response('answered', { status: 201 });
}
