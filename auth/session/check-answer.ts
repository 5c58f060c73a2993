import { AuthError } from './errors.ts';
import { isOfIssuer } from './issuer.ts';
import type { ProviderMetadata } from './provider-metadata.ts';
import { parseReturnParams } from './return-url.ts';
import type { ReturnParams } from './return-url.ts';

/** The values the answer to an authorization request is compared with. */
export interface Expectation {
  /** The state that was sent; null when it has been answered already. */
  state: string | null;
  /** The provider's metadata, if known. */
  metadata: ProviderMetadata | undefined;
  /** The requested response type. */
  responseType?: string;
  /** Whether a signed answer was requested, but this answer has no checked signature. */
  lacksSignature?: boolean | undefined;
}

/** Reads a return URL and returns its error, if any. */
export function checkReturnUrl(
  url: string,
  expected: Expectation,
): { params: Record<string, string>; error: AuthError | null } {
  if (expected.lacksSignature) {
    return {
      params: {},
      error: refusal('invalid_response', 'The answer lacks the signature that parseReturnUrlAsync checks.', {}),
    };
  }
  const read = parseReturnParams(url);
  return { params: read.params, error: findError(read, expected) };
}

function findError({ params, contradictory }: ReturnParams, expected: Expectation): AuthError | null {
  // Errors too: otherwise any site could open the redirect URI, end the request, and show its own text.
  if (params['state'] !== expected.state) {
    return refusal(
      'state_mismatch',
      expected.state === null
        ? 'This request has been answered already.'
        : 'The answer lacks the state of the request: it may be forged, or an old one.',
      params,
    );
  }
  if (contradictory.length > 0) {
    return refusal('invalid_response', `The answer has contradictory values for: ${contradictory.join(', ')}.`, params);
  }
  const issuer = findIssuerError(params, expected.metadata);
  if (issuer) return issuer;
  const code = params['error'] ?? params['errorCode'];
  return code === undefined ? findTypeError(params, expected.responseType) : new AuthError({ ...params, error: code });
}

// OAuth 2.0 Multiple Response Types section 3. A token that was not requested has not been checked.
function findTypeError(params: Record<string, string>, asked: string | undefined): AuthError | null {
  if (asked === undefined) return null;
  const types = asked.split(' ');
  // The response type of an access token is `token`.
  const wrong = ['code', 'access_token', 'id_token'].filter(
    (name) => types.includes(name.replace('access_', '')) !== Boolean(params[name]),
  );
  if (wrong.length === 0) return null;
  return refusal(
    'invalid_response',
    `The response type is ${asked}, but the answer lacks or adds: ${wrong.join(', ')}.`,
    params,
  );
}

// RFC 9207 section 2.4: otherwise one provider's answer could pass for another's.
function findIssuerError(params: Record<string, string>, metadata: ProviderMetadata | undefined): AuthError | null {
  if (metadata?.issuer === undefined) return null;
  if (params['iss'] === undefined) {
    // An id_token names the issuer too, and is checked.
    if (params['id_token'] !== undefined) return null;
    return metadata['authorization_response_iss_parameter_supported'] === true
      ? refusal('issuer_mismatch', 'The answer lacks the iss that this provider promises.', params)
      : null;
  }
  return isOfIssuer(params['iss'], metadata.issuer)
    ? null
    : refusal('issuer_mismatch', 'The iss of the answer is another provider.', params);
}

/** The error for an answer that we refuse, with our own text. */
export function refusal(code: string, message: string, params: Record<string, string>): AuthError {
  const error = new AuthError({ error: code, state: params['state'] });
  return Object.assign(error, { message, description: message, params });
}
