import { record } from '../../lib/signals.ts';
import { query } from '../../lib/query.ts';

/** Has listeners that fail, one at once and one later, and answers after the client has left. */
export async function GET(request: Request): Promise<Response> {
  const id = query(request, 'id');
  const { promise, resolve } = Promise.withResolvers<void>();
  const { signal } = request;
  signal.addEventListener('abort', () => {
    throw new Error(`at once ${id}`);
  });
  signal.addEventListener('abort', async () => {
    await Promise.resolve();
    throw new Error(`later ${id}`);
  });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the other way to listen
  signal.onabort = () => {
    throw new Error(`by onabort ${id}`);
  };
  const removed = (): void => record(`${id}-removed`);
  signal.addEventListener('abort', removed);
  signal.removeEventListener('abort', removed);
  signal.addEventListener('abort', { handleEvent: () => resolve() }, { once: true });
  record(`${id}-reached`);
  await promise;
  record(`${id}-aborted`);
  return new Response('nobody');
}
