export function GET(): Response {
  return new Response('never', { headers: { 'x-bad': 'one\r\nx-injected: two' } });
}
