/** Reads nothing of the body. */
export function POST(): Response {
  return new Response('ignored');
}
