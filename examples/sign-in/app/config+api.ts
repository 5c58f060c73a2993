import type { Config } from '../server/answers.ts';
import { settings } from '../server/settings.ts';

/** GET /config: what a page needs to begin a sign-in. */
export function GET(): Response {
  const { issuer, clientId, scopes } = settings();
  const config: Config = { issuer, clientId, scopes };
  return Response.json(config);
}
