/** The middleware lets no request through to this route. */
export function GET(): Response {
  return new Response('GUARDED');
}
