export function GET(): Response {
  return new Response('No such thing', { status: 404, headers: { 'Content-Type': 'text/plain' } });
}
