import { deferTask, locals, StatusError } from 'appkit-server';
import { query } from '../../../lib/query.ts';
import { record, waitFor } from '../../../lib/signals.ts';

/** The visitor's name, once it is released. */
export async function GET(request: Request): Promise<Response> {
  await waitFor(query(request, 'id'));
  return Response.json({ visitor: locals().visitor, trail: locals().trail });
}

/** Tells a task who visits. */
export function POST(request: Request): Response {
  const id = query(request, 'id');
  deferTask(() => record(id, locals().visitor));
  return new Response(null, { status: 202 });
}

export function PUT(): never {
  throw new Error('secret cause');
}

export function PATCH(): never {
  throw new StatusError(409, 'There is one');
}
