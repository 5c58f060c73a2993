import { readFields, unusable } from './answer-fields.ts';
import { GrantType } from './enumerations.ts';
import type { Issuance } from './issued-id-token.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import { parseJsonObject } from './read-answer.ts';
import type { Answer, SendOptions } from './send.ts';
import { TokenError } from './token-error.ts';

/** The values an answer from the token endpoint is compared with. */
export interface TokenAnswerExpectation {
  /** What the request held; none of it is repeated in an error. */
  sent: Record<string, string>;
  discovery: Pick<DiscoveryDocument, 'discoveryDocument'>;
  issuance: Issuance;
}

// An id_token that comes with a refresh only says which user the tokens are for. Its times say nothing new, as the answer has just arrived, and with a clock
// that is wrong they would end the session of every user, one refresh after the other.
const DAY = 24 * 60 * 60;

/**
 * Reads the fields of an answer from the token endpoint, which must include an access token, and checks its id_token,
 * if any.
 *
 * @throws TokenError when it contains `error`, or refuses the refresh token in a list of `errors`; ResponseError when it failed in another way or
 * cannot be used.
 * @see RFC 6749 section 5.1
 */
export async function readTokenAnswer(
  answer: Answer,
  { sent, discovery, issuance }: TokenAnswerExpectation,
  options: SendOptions,
): Promise<Record<string, unknown>> {
  if (isListedRefusal(answer, sent)) {
    const text = 'The authorization server has refused the refresh token (HTTP status 400).';
    const { info } = unusable(text, answer, sent);
    throw Object.assign(new TokenError({ error: 'invalid_grant' }, text), { info });
  }
  const fields = readFields(answer, sent);
  if (typeof fields['access_token'] !== 'string' || fields['access_token'] === '') {
    throw unusable('The answer contains no access_token', answer, sent);
  }
  const wrong = ['token_type', 'scope', 'refresh_token'].filter((name) => !isTextOrNone(fields[name], name));
  if (wrong.length > 0) throw unusable(`The answer has no text as ${wrong.join(', ')}`, answer, sent);
  // RFC 9449 section 5: a server that ignores the proof issues a token that anyone can use.
  if (options.dpop && String(fields['token_type']).toLowerCase() !== 'dpop') {
    throw unusable('The access token is not bound to the key: its token_type is not DPoP', answer, sent);
  }
  if (fields['id_token'] !== undefined || issuance.nonce !== undefined) {
    const { checkIssuedIdToken } = await import('./issued-id-token.ts');
    const isRefresh = sent['grant_type'] === GrantType.RefreshToken;
    const clockToleranceSeconds = isRefresh ? DAY : options.clockToleranceSeconds;
    await checkIssuedIdToken(fields, discovery, { ...issuance, clockToleranceSeconds });
  }
  return fields;
}

// RFC 6749 section 5.2 wants a reason in `error`. Strava and Fitbit list `errors` instead, which must name the refresh token and nothing else:
// other answers with status 400, with or without JSON, may be those of a proxy or an API gateway, or refuse the client.
function isListedRefusal({ status, text }: Answer, sent: Record<string, string>): boolean {
  if (status !== 400 || sent['grant_type'] !== GrantType.RefreshToken) return false;
  const { error, errors } = parseJsonObject(text) ?? {};
  return (error ?? undefined) === undefined && Array.isArray(errors) && errors.length > 0 && errors.every(isOfToken);
}

function isOfToken(one: unknown): boolean {
  const { resource, errorType } = (one ?? {}) as Record<string, unknown>;
  return resource === 'RefreshToken' || errorType === 'invalid_grant';
}

// Providers write null for missing values, and some write a list of scopes.
function isTextOrNone(value: unknown, name: string): boolean {
  const values: unknown[] = name === 'scope' && Array.isArray(value) ? value : [value ?? ''];
  return values.every((part) => typeof part === 'string');
}
