import { isDraining, StatusError } from 'appkit-server';

export function GET(): Response {
  if (isDraining()) throw new StatusError(503);
  return new Response('ready');
}
