throw new Error('secret message at load');

export function GET(): Response {
  return new Response('never');
}
