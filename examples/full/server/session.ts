import { environment } from 'appkit-server';
import { createSession } from 'appkit-server/session';

/** Who has signed in, in an encrypted cookie. */
export const session = createSession<{ name: string }>({ secrets: () => [readSecret()] });

/** What the cookie is encrypted with. On a host it has to be set; without one here, every start signs everybody out. */
function readSecret(): string {
  const secret = process.env['SESSION_SECRET'];
  if (secret !== undefined) return secret;
  if (['development', 'test'].includes(environment() ?? '')) return crypto.randomUUID();
  throw new Error('SESSION_SECRET is not set. Make one with: openssl rand -base64 32');
}
