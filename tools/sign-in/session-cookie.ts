import assert from 'node:assert/strict';
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { SignInApp } from './app.ts';

/** What is in the session cookie of the example. */
export interface SealedSession {
  subject: string;
  endsAt: number;
  tokens: { accessToken: string; refreshToken: string; issuedAt: number; expiresIn: number };
}

const [IV_BYTES, TAG_BYTES] = [12, 16];

/** Reads a session cookie with the secret of the server, by other means than the example's own. */
export function unseal({ sessionSecret }: SignInApp, cookie: string): SealedSession {
  const bytes = Buffer.from(cookie, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', keyOf(sessionSecret), bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]).toString();
  const session = JSON.parse(text) as SealedSession; // looked at below
  assert.match(session.tokens.accessToken, /^.{20,}$/);
  assert.match(session.tokens.refreshToken, /^.{20,}$/);
  return session;
}

/** Makes a session cookie. */
export function seal(sessionSecret: string, session: object): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyOf(sessionSecret), iv);
  const sealed = [cipher.update(JSON.stringify(session)), cipher.final()];
  return Buffer.concat([iv, ...sealed, cipher.getAuthTag()]).toString('base64url');
}

function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'session cookie', 32));
}
