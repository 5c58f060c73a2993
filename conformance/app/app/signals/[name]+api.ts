import { record, valueOf, waitFor } from '../../lib/signals.ts';

/** Answers once the event has been recorded. Gives up when the client has left: some hosts wait for it when they stop. */
export async function GET(request: Request, { name }: { name: string }): Promise<Response> {
  return Response.json({ value: await waitFor(name, request.signal) });
}

/** Answers at once. */
export function OPTIONS(_request: Request, { name }: { name: string }): Response {
  return Response.json({ value: valueOf(name) });
}

export function PUT(request: Request, { name }: { name: string }): Response {
  record(name, new URL(request.url).searchParams.get('value') ?? '');
  return new Response(null, { status: 204 });
}
