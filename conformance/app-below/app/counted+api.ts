import { cache, invalidate } from 'appkit-server';

let made = 0;

/** A number that is cached for an hour. */
export function GET(): Response {
  cache({ maxAge: 3600 });
  return Response.json(++made);
}

export async function DELETE(): Promise<Response> {
  await invalidate('/counted');
  return new Response('done');
}
