import { ResponseError } from './errors.ts';
import { parseJsonObject } from './read-answer.ts';

/**
 * Reads the claims of an id_token without checking it.
 *
 * @throws ResponseError with code `invalid_id_token` when it is not a JSON Web Token.
 */
export function claimsOf(idToken: string): Record<string, unknown> {
  return partOf(idToken, 1);
}

/** Reads the header, as {@link claimsOf} reads the claims. */
export function headerOf(idToken: string): Record<string, unknown> {
  return partOf(idToken, 0);
}

function partOf(idToken: string, index: number): Record<string, unknown> {
  const part = parseJsonObject(fromBase64Url(idToken.split('.')[index] ?? ''));
  if (part === undefined) throw invalidIdToken(new Error('it is not a JSON Web Token'));
  return part;
}

function fromBase64Url(text: string): string {
  // A text that is not Base64 is not JSON either.
  if (!/^[\w-]*$/.test(text) || text.length % 4 === 1) return '';
  const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)));
}

/** The error for an id_token that we refuse. The message of the cause names a claim, never a value. */
export function invalidIdToken(cause: unknown): ResponseError {
  if (cause instanceof ResponseError && cause.code === 'invalid_id_token') return cause;
  const text = `The id_token is not one for this client and request: ${(cause as Error).message}.`;
  return Object.assign(new ResponseError({ error: 'invalid_id_token' }, text), { cause });
}
