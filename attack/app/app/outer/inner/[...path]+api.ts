/** The middleware lets nobody in here. */
export function GET(): Response {
  return new Response('GUARDED');
}
