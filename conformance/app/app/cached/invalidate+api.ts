import { invalidate } from 'appkit-server';
import { query } from '../../lib/query.ts';

export async function POST(request: Request): Promise<Response> {
  await invalidate(query(request, 'what'));
  return new Response('done');
}
