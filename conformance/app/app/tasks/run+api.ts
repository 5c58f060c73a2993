import { runTask } from 'appkit-server';
import { query } from '../../lib/query.ts';
import { record, waitFor } from '../../lib/signals.ts';

/** The task starts before the response, which waits for that start. */
export async function GET(request: Request): Promise<Response> {
  const id = query(request, 'id');
  runTask(async () => record(id));
  await waitFor(id);
  return new Response('task started first');
}

/** The task ends only when it is released, which happens after the response. */
export function POST(request: Request): Response {
  const id = query(request, 'id');
  runTask(async () => {
    await waitFor(`${id}-release`);
    record(`${id}-done`);
  });
  return new Response('did not wait');
}

export function PUT(): Response {
  runTask(async () => {
    await Promise.resolve();
    throw new Error('task rejected');
  });
  return new Response('answered', { status: 201 });
}

export function DELETE(): Response {
  runTask(() => {
    throw new Error('task threw');
  });
  return new Response('answered', { status: 201 });
}
