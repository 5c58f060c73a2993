export function GET(request: Request): Response {
  return Response.json({ path: new URL(request.url).pathname });
}
