import { deferTask } from 'appkit-server';
import { query } from '../../lib/query.ts';
import { record } from '../../lib/signals.ts';

/** Reads the body in a task, after the response. */
export function POST(request: Request): Response {
  const id = query(request, 'id');
  deferTask(async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const outcome = await request.text().then(
      (text) => `read ${text}`,
      () => 'failed',
    );
    record(id, outcome);
  });
  return new Response('answered');
}
