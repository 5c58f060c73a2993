import { requestId } from 'appkit-server';

export function GET(request: Request, { name }: Record<string, string>): Response {
  const { searchParams } = new URL(request.url);
  const cookie = request.headers.get('cookie');
  const told = { name, asked: searchParams.get('asked'), cookie, hasId: requestId() !== '' };
  return Response.json(told, { headers: { 'set-cookie': `asked=${name}` } });
}

export async function POST(request: Request, { name }: Record<string, string>): Promise<Response> {
  if (name === 'moved') return new Response(null, { status: 307, headers: { location: 'kept' } });
  return Response.json({ name, text: await request.text() });
}
