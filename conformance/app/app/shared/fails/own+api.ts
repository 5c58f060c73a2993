import { loadedWith } from '../../../lib/shared/own-fails.ts';

/** Answers once the module has loaded, which no other route imports. */
export function GET(): Response {
  return Response.json({ loadedWith });
}
