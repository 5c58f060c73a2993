export function GET(): Response {
  return new Response(null, { status: 204, headers: { 'content-length': '5' } });
}
