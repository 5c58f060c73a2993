import { setResponseHeaders, StatusError } from 'appkit-server';

/** Answers in every possible way, with headers that the config also sets. */
export function GET(_request: Request, { kind }: { kind: string }): Response {
  switch (kind) {
    case 'own':
      return new Response('own', { headers: { 'x-either': 'route', 'set-cookie': 'own=1' } });
    case 'helper':
      setResponseHeaders({ 'x-either': 'helper', 'x-several': ['three'] });
      return new Response('helper');
    case 'no-content':
      return new Response(null, { status: 204 });
    case 'thrown':
      throw new Response('thrown', { status: 409 });
    case 'status-error':
      throw new StatusError(418, 'short and stout');
    case 'error':
      throw new Error('secret of the route');
    default:
      return new Response('plain');
  }
}
