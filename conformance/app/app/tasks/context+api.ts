import { deferTask, environment, origin, runTask, setResponseHeaders } from 'appkit-server';
import { query } from '../../lib/query.ts';
import { record } from '../../lib/signals.ts';

/** The results of the helpers inside a deferred task. */
export function GET(request: Request): Response {
  const id = query(request, 'id');
  deferTask(async () => {
    await Promise.resolve();
    let refusal = 'none';
    try {
      setResponseHeaders({ 'x-late': 'yes' });
    } catch (error) {
      refusal = (error as Error).message;
    }
    record(id, JSON.stringify({ origin: origin(), environment: environment(), refusal }));
  });
  return new Response('ok');
}

/** A task may start tasks. */
export function POST(request: Request): Response {
  const id = query(request, 'id');
  runTask(async () => {
    await Promise.resolve();
    runTask(async () => record(`${id}-inner`, String(origin())));
  });
  return new Response('ok');
}
