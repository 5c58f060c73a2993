export function GET(_request: Request, params: Record<string, string>): Response {
  return Response.json({ params, isPlain: Object.getPrototypeOf(params) === Object.prototype });
}
