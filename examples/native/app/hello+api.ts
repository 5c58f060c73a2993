import { greet } from '../server/greeting.ts';

export interface Hello {
  greeting: string;
}

export function GET(request: Request): Response {
  const hello: Hello = { greeting: greet(new URL(request.url).searchParams.get('name') ?? 'world') };
  return Response.json(hello, { headers: { 'x-from': 'route-that-only-the-server-runs' } });
}
