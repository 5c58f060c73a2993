import { ResponseError, TokenError, unusableAnswer } from './errors.ts';
import type { UnusableAnswer } from './errors.ts';
import type { Answer } from './send.ts';

type Fields = Record<string, unknown>;

/**
 * Reads the fields of an answer of the token or revocation endpoint: an object of JSON or, as some providers still write
 * it, a form.
 *
 * @param sent – what the request held; none of it is repeated in an error.
 * @throws TokenError when it says `error`, whatever its status; ResponseError when it failed otherwise or has no fields.
 * @see RFC 6749 sections 5.1 and 5.2
 */
export function readFields(answer: Answer, sent: Record<string, string>): Fields {
  const fields = parseFields(answer);
  if (typeof fields?.['error'] === 'string') throw new TokenError({ ...fields, error: fields['error'] });
  assertOk(answer, sent);
  if (fields === undefined) throw unusableAnswer('The answer is neither JSON nor a form', describe(answer, sent));
  return fields;
}

/**
 * Reads an answer whose failure is said by its status alone, such as that of the userinfo endpoint.
 *
 * @throws ResponseError when the status is not 2xx.
 */
export function assertOk(answer: Answer, sent: Record<string, string>): void {
  if (answer.ok) return;
  const fields = parseFields(answer);
  if (typeof fields?.['error'] === 'string') throw new ResponseError({ ...fields, error: fields['error'] });
  throw unusableAnswer('The request failed', describe(answer, sent));
}

/** The object in an answer, `undefined` when it holds none. */
export function parseJsonObject(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

/** What may be told of an answer. */
export function describe(answer: Answer, sent: Record<string, string> = {}): UnusableAnswer {
  const { status, contentType } = answer;
  return { status, contentType, excerpt: excerptOf(answer, sent).slice(0, 200) };
}

// Of an object its names, of a text what is neither sent nor like a token.
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
