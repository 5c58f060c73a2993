export function GET(_request: Request, { status }: { status: string }): Response {
  return new Response(null, { status: Number(status), headers: { etag: '"v1"' } });
}

/** A body where the standard allows none. */
export function POST(_request: Request, { status }: { status: string }): Response {
  return new Response('a body', { status: Number(status) });
}
