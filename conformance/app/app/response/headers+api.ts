export function GET(): Response {
  const headers = new Headers({ 'X-Mixed-Case': 'kept', 'x-empty': '', 'x-latin1': 'caf\u00e9' });
  headers.append('link', '</a>; rel=preload');
  headers.append('link', '</b>; rel=preload');
  headers.append('vary', 'accept');
  headers.append('vary', 'cookie');
  return new Response('headers', { headers });
}
