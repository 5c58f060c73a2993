// Those that the authorization endpoint has too; TokenError has the others.
const descriptions: Record<string, string> = {
  // RFC 6749 section 4.1.2.1.
  invalid_request: 'The request is missing a required parameter, has one twice, or has a wrong one.',
  unauthorized_client: 'This client may not ask in this way.',
  access_denied: 'The user or the authorization server has refused.',
  unsupported_response_type: 'The authorization server does not know this response type.',
  invalid_scope: 'A scope is unknown, malformed or not allowed.',
  server_error: 'The authorization server had an error of its own.',
  temporarily_unavailable: 'The authorization server is overloaded or down.',
  // OpenID Connect Core section 3.1.2.6, and that of unmet authentication requirements.
  interaction_required: 'The user would have to be shown something, which prompt=none forbids.',
  login_required: 'The user would have to sign in, which prompt=none forbids.',
  account_selection_required: 'The user would have to choose an account, which prompt=none forbids.',
  consent_required: 'The user would have to consent, which prompt=none forbids.',
  invalid_request_uri: 'The request_uri parameter cannot be read or is invalid.',
  invalid_request_object: 'The request parameter is invalid.',
  request_not_supported: 'The authorization server does not know the request parameter.',
  request_uri_not_supported: 'The authorization server does not know the request_uri parameter.',
  registration_not_supported: 'The authorization server does not know the registration parameter.',
  unmet_authentication_requirements: 'The user cannot sign in as strongly as was asked.',
  // RFC 8707 section 2.
  invalid_target: 'The resource is unknown or not allowed.',
};

/** Our text for a code of the standards. */
export function describeError(code: string): string | undefined {
  return Object.hasOwn(descriptions, code) ? descriptions[code] : undefined;
}
