import { attempts } from '../../../lib/shared/attempts.ts';

/** Shares a module with the failing routes, but not the failure. */
export function GET(): Response {
  return Response.json({ seen: attempts.get('fails.ts') });
}
