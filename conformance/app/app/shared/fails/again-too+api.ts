import { loaded } from '../../../lib/shared/fails-again.ts';
import { attempts } from '../../../lib/shared/attempts.ts';

/** Answers once the module has loaded. */
export function GET(): Response {
  return Response.json({ loaded, attempts: attempts.get('fails-again.ts') });
}
