export function POST(): Response {
  return new Response('POST');
}
