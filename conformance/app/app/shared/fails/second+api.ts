import { loaded } from '../../../lib/shared/fails.ts';

/** Answers once the module has loaded. */
export function GET(): Response {
  return Response.json({ loaded });
}
