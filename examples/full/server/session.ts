import { environment } from 'appkit-server';
import { createSession } from 'appkit-server/session';

/** The signed-in user, in an encrypted cookie. */
export const session = createSession<{ name: string }>({ secrets: () => [readSecret()] });

/**
 * The key that encrypts the cookie. It must be set on a host; if it is missing here, every start signs all users out.
 */
function readSecret(): string {
  const secret = process.env['SESSION_SECRET'];
  if (secret !== undefined) return secret;
  if (['development', 'test'].includes(environment() ?? '')) return crypto.randomUUID();
  throw new Error('SESSION_SECRET is not set. Create one with: openssl rand -base64 32');
}
