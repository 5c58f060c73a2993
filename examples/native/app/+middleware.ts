const BLOCKED = 'agent-that-only-the-middleware-knows';

export default function middleware(request: Request): Response | undefined {
  if (request.headers.get('user-agent') === BLOCKED) return new Response(null, { status: 403 });
  return undefined;
}
