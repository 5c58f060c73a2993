export function GET(request: Request): Response {
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim().split('='));
  const cookies = Object.fromEntries(pairs) as Record<string, string>;
  return Response.json({ count: Object.keys(cookies).length, polluted: 'polluted' in {} });
}
