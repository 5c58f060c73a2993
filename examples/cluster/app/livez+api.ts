/** The process runs. */
export function GET(): Response {
  return new Response('ok', { headers: { 'cache-control': 'no-store' } });
}
