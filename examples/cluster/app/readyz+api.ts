import { isDraining, StatusError } from 'appkit-server';

/** Whether the process should get requests: no longer once it has been told to stop. */
export function GET(): Response {
  if (isDraining()) throw new StatusError(503);
  return new Response('ok', { headers: { 'cache-control': 'no-store' } });
}
