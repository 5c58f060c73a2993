import { cache } from 'appkit-server';
import { copyBy } from '../../../lib/copies.ts';

export async function GET(request: Request, { way }: { way: string }): Promise<Response> {
  cache({ maxAge: 600 });
  return Response.json(await copyBy(way, request));
}
