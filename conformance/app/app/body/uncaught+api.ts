import { Readable } from 'node:stream';
import { waysToRead } from '../../../generic/fixture/begin-to-read.ts';
import { query } from '../../lib/query.ts';

const WAYS: Record<string, (request: Request) => unknown> = {
  ...waysToRead,
  // Each fails on its own, and neither is awaited.
  cancel: (request) => [request.text(), request.body?.cancel()],
  // The types of the two streams differ.
  fromWeb: (request) => request.body && Readable.fromWeb(request.body as never).resume(),
};

/** Answers, or throws, before the body that it has begun to read has arrived; does not catch the read's failure. */
export function POST(request: Request): Response {
  void WAYS[query(request, 'way')]?.(request);
  if (query(request, 'then') === 'throw') throw new Error('after it began to read the body');
  return new Response('refused', { status: 401 });
}
