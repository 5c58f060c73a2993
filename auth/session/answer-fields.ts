import { ResponseError } from './errors.ts';
import type { UnusableAnswer } from './errors.ts';
import { parseJsonObject } from './read-answer.ts';
import type { Answer } from './send.ts';
import { TokenError } from './token-error.ts';

type Fields = Record<string, unknown>;

/**
 * Reads the fields of an answer from the token or revocation endpoint: a JSON object or, from some providers, a form.
 *
 * @param sent – the contents of the request; errors never repeat them.
 * @throws TokenError when it contains `error`, whatever its status; ResponseError when it failed in another way or has
 * no fields.
 * @see RFC 6749 sections 5.1 and 5.2
 */
export function readFields(answer: Answer, sent: Record<string, string>): Fields {
  const fields = parseFields(answer);
  if (typeof fields?.['error'] === 'string') throw new TokenError({ ...fields, error: fields['error'] });
  if (!answer.ok) throw failureOf(answer, sent);
  if (fields === undefined) throw unusable('The answer is neither JSON nor a form', answer, sent);
  return fields;
}

/**
 * The error of an answer with a failure status, such as from the userinfo endpoint, or of one that is not a JSON
 * object.
 */
export function failureOf(answer: Answer, sent: Record<string, string>): ResponseError {
  const fields = answer.ok ? undefined : parseFields(answer);
  if (typeof fields?.['error'] === 'string') return new ResponseError({ ...fields, error: fields['error'] });
  return unusable(answer.ok ? 'The answer is not a JSON object' : 'The request failed', answer, sent);
}

/** The error of an answer that cannot be used. */
export function unusable(message: string, answer: Answer, sent: Record<string, string> = {}): ResponseError {
  const { status, contentType } = answer;
  const info: UnusableAnswer = { status, contentType, excerpt: excerptOf(answer, sent).slice(0, 200) };
  const text = `${message} (HTTP status ${status}, ${contentType || 'no content type'}).`;
  return Object.assign(new ResponseError({ error: 'invalid_response' }, text), { info });
}

// The names of an object, or the parts of a text that were not sent and do not look like a token.
function excerptOf({ contentType, text }: Answer, sent: Record<string, string>): string {
  const fields = parseJsonObject(text);
  if (fields) return Object.keys(fields).join(', ');
  if (!contentType.startsWith('text/')) return '';
  const known = Object.values(sent).filter((value) => value !== '');
  const safe = known.reduce((rest, value) => rest.replaceAll(value, '…'), text);
  return safe.replaceAll(/[\w.~+/=%-]{16,}/g, '…');
}

function parseFields({ contentType, text }: Answer): Fields | undefined {
  const fields = parseJsonObject(text);
  if (fields) return fields;
  const isForm = contentType === 'application/x-www-form-urlencoded' || contentType === 'text/plain';
  return isForm && /^[\w.%+-]+=/.test(text) ? Object.fromEntries(new URLSearchParams(text)) : undefined;
}
