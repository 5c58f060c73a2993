import { origin, runTask, setResponseHeaders } from 'appkit-server';
import { query } from '../../lib/query.ts';

/** Crosses every kind of asynchronous step before it uses the context. */
export async function GET(request: Request): Promise<Response> {
  const id = query(request, 'id');
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
  setResponseHeaders({ 'x-after-timer': id });
  await new Promise<void>((resolve) => queueMicrotask(resolve));
  setResponseHeaders((headers) => headers.set('x-after-microtask', id));
  // oxlint-disable-next-line unicorn/no-thenable -- that is what is tested
  await { then: (resolve: (value: null) => void) => setImmediate(resolve, null) };
  let task = '';
  runTask(async () => {
    task = String(origin());
  });
  return Response.json({ id, origin: origin(), task });
}
