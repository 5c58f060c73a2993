export function GET(): Response {
  return Response.json({ hello: 'world' });
}
