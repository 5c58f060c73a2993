import { setResponseHeaders, StatusError } from 'appkit-server';

/** Throws one StatusError for each kind of message. */
export async function GET(request: Request, { kind }: { kind: string }): Promise<Response> {
  await Promise.resolve();
  switch (kind) {
    case 'string':
      throw new StatusError(418, 'short and stout');
    case 'error':
      throw new StatusError(502, new Error('upstream is down'));
    case 'object':
      throw new StatusError(422, { field: 'name', problems: ['empty'] });
    case 'own-error':
      throw new StatusError(422, { error: 'own', code: 7 });
    case 'list':
      throw new StatusError(400, ['one', 'two']);
    case 'number':
      throw new StatusError(400, 42);
    case 'false':
      throw new StatusError(400, false);
    case 'null':
      throw new StatusError(400, null);
    case 'empty':
      throw new StatusError(400, '');
    case 'none':
      throw new StatusError(404);
    case 'none-413':
      throw new StatusError(413);
    case 'server':
      throw new StatusError(503, 'come back later');
    case 'cause': {
      const id = new URL(request.url).searchParams.get('id');
      throw new StatusError(503, `not now ${id}`, { cause: new Error('secret of the cause') });
    }
    case 'unicode':
      throw new StatusError(400, 'zażółć');
    case 'headers':
      setResponseHeaders({ 'retry-after': '120' });
      throw new StatusError(429, 'slow down');
    default:
      return new Response('unknown kind', { status: 404 });
  }
}

export { GET as HEAD };

/** The constructor's message for an invalid status. */
export function POST(request: Request): Response {
  const status = Number(new URL(request.url).searchParams.get('status'));
  try {
    return Response.json({ made: new StatusError(status, 'text').status });
  } catch (error) {
    const { name, message } = error as Error;
    return Response.json({ name, message });
  }
}

/** A StatusError is an Error that a route can catch and inspect. */
export function PUT(): Response {
  const error = new StatusError(404, 'gone fishing');
  return Response.json({ isError: error instanceof Error, status: error.status, message: error.message });
}
