export function GET(): Response {
  return new Response('below the same URL');
}
