export function GET(): Response {
  return new Response('only GET');
}
