export function GET(): Response {
  return new Response('by a rule of the config');
}
