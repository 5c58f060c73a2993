// The codes of RFC 6749 section 4.1.2.1 and OpenID Connect Core section 3.1.2.6.
const authorization: Record<string, string> = {
  invalid_request:
    'The request is missing a required parameter, has one twice, or has one with a value that cannot be.',
  unauthorized_client: 'This client may not ask for a code or token in this way.',
  access_denied: 'The user or the authorization server has refused.',
  unsupported_response_type: 'The authorization server does not answer with this response type.',
  invalid_scope: 'A scope is unknown, malformed or not allowed.',
  server_error: 'The authorization server had an error of its own.',
  temporarily_unavailable: 'The authorization server is overloaded or down for maintenance.',
  interaction_required: 'The user would have to be shown something, which prompt=none forbids.',
  login_required: 'The user would have to sign in, which prompt=none forbids.',
  account_selection_required: 'The user would have to choose an account, which prompt=none forbids.',
  consent_required: 'The user would have to consent, which prompt=none forbids.',
  invalid_request_uri: 'The request_uri cannot be read, or what it holds is invalid.',
  invalid_request_object: 'The request parameter holds an invalid request object.',
  request_not_supported: 'The authorization server does not know the request parameter.',
  request_uri_not_supported: 'The authorization server does not know the request_uri parameter.',
  registration_not_supported: 'The authorization server does not know the registration parameter.',
  unmet_authentication_requirements: 'The user cannot sign in as strongly as was asked.',
  invalid_target: 'The resource is unknown or not allowed.',
};

// RFC 6749 section 5.2, RFC 7009 section 2.2.1, RFC 8628 section 3.5, RFC 8707 section 2, RFC 9449.
const token: Record<string, string> = {
  invalid_request: 'The request is missing a parameter, has one twice, or authenticates the client in two ways.',
  invalid_client: 'The client is unknown or was not authenticated.',
  invalid_grant:
    'The code or refresh token is invalid, expired, revoked, or was given to another client or redirect URI.',
  unauthorized_client: 'This client may not use this grant type.',
  unsupported_grant_type: 'The authorization server does not know this grant type.',
  invalid_scope: 'The scope is unknown, malformed, or more than the user granted.',
  unsupported_token_type: 'The authorization server does not revoke tokens of this type.',
  authorization_pending: 'The user has not finished signing in.',
  slow_down: 'The device asks too often.',
  expired_token: 'The user took too long to sign in.',
  access_denied: 'The user has refused.',
  invalid_target: 'The resource is unknown or not allowed.',
  invalid_dpop_proof: 'The proof of the DPoP key is invalid.',
  use_dpop_nonce: 'The authorization server wants its nonce in the proof of the DPoP key.',
};

/** Our text for a code of the authorization endpoint. */
export function describeAuthorizationError(code: string): string | undefined {
  return Object.hasOwn(authorization, code) ? authorization[code] : undefined;
}

/** Our text for a code of the token, revocation and device endpoints. */
export function describeTokenError(code: string): string | undefined {
  return Object.hasOwn(token, code) ? token[code] : undefined;
}
