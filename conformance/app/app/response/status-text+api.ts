export function GET(): Response {
  return new Response('brewing', { status: 299, statusText: 'Mostly Fine' });
}
