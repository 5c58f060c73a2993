import { Readable } from 'node:stream';
import { query } from '../../lib/query.ts';

/** Answers, or throws, after it has begun to read the body by a stream of Node. */
export function POST(request: Request): Response {
  // The types of the two streams differ.
  if (request.body) Readable.fromWeb(request.body as never).resume();
  if (query(request, 'then') === 'throw') throw new Error('after it began to read the body');
  return new Response('refused', { status: 401 });
}
