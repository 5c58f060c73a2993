import { ask } from '../lib/ask.ts';

/** Calls a helper that only another route imports. */
export function GET(): Response {
  return Response.json(ask());
}
