/** Answers HEAD as GET, with a text whose type nothing states. */
export function GET(): Response {
  return new Response('a text', { headers: { 'x-own': 'yes' } });
}

export { GET as HEAD };
