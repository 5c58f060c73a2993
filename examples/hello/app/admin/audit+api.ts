import { auditLog } from '../../server/audit-log.ts';

/** GET /admin/audit: what has happened. app/+middleware.ts lets only signed-in users get here. */
export function GET(): Response {
  return Response.json(auditLog);
}
