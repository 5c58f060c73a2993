export function POST(): Response {
  return new Response('did not look');
}
