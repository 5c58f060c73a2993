import assert from 'node:assert/strict';
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { SignInApp } from './app.ts';

/** The content of the example's session cookie. */
export interface SealedSession {
  content: {
    subject: string;
    claims: Record<string, unknown>;
    tokens: { accessToken: string; refreshToken: string; issuedAt: number; expiresIn: number };
  };
  /** When the session ends, in seconds since 1970. */
  exp: number;
}

type Keys = Pick<SignInApp, 'clientId' | 'issuer' | 'sessionSecret'>;

/** Reads a session cookie with the server's secret, without the package's own code. */
export function unseal(keys: Keys, cookie: string): SealedSession {
  // The number of parts: RFC 7516 section 3.1.
  const [, header = '', iv = '', sealed = '', tag = ''] =
    /^1\.([\w-]+)\.\.([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(cookie) ?? [];
  const decipher = createDecipheriv('aes-256-gcm', keyOf(keys), Buffer.from(iv, 'base64url'));
  decipher.setAAD(Buffer.from(header)).setAuthTag(Buffer.from(tag, 'base64url'));
  const text = Buffer.concat([decipher.update(Buffer.from(sealed, 'base64url')), decipher.final()]).toString();
  const session = JSON.parse(text) as SealedSession; // looked at below
  assert.match(session.content.tokens.accessToken, /^.{20,}$/);
  assert.match(session.content.tokens.refreshToken, /^.{20,}$/);
  return session;
}

/** Makes a session cookie. */
export function seal(keys: Keys, session: object): string {
  const header = Buffer.from('{"alg":"dir","enc":"A256GCM"}').toString('base64url');
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', keyOf(keys), iv).setAAD(Buffer.from(header));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(session)), cipher.final()]);
  return `1.${header}..${[iv, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url')).join('.')}`;
}

function keyOf({ clientId, issuer, sessionSecret }: Keys): Buffer {
  const info = JSON.stringify(['appkit-auth-session', 'session', issuer, clientId]);
  return Buffer.from(hkdfSync('sha256', sessionSecret, '', info, 32));
}
