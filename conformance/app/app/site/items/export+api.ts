export function GET(): Response {
  return new Response('a route of its own');
}
