import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

let fallback: string | undefined;

/** Signs text with this server's secret. */
export function sign(text: string): string {
  return createHmac('sha256', sessionSecret()).update(text).digest('base64url');
}

/** Compares two secrets in a time that reveals neither where they differ nor how long they are. */
export function isSameSecret(given: string, expected: string): boolean {
  const key = randomBytes(32);
  const digest = (text: string): Buffer => createHmac('sha256', key).update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function sessionSecret(): string {
  const secret = process.env['SESSION_SECRET'];
  if (secret) return secret;

  // Not a fixed default: anyone who has read this file could sign a session with it.
  if (fallback === undefined) {
    fallback = randomBytes(32).toString('base64url');
    console.warn('SESSION_SECRET is not set. Sessions are signed with a random secret and end with this process.');
  }
  return fallback;
}
