import { StatusError } from 'appkit-server';

export function GET(): Response {
  return new Response('for partners', { headers: { 'x-count': '1' } });
}

export function PUT(): never {
  throw new StatusError(409, 'There is one');
}
